/** A module hook of Node that resolves `@jest/globals` to case-globals.mjs. */
export async function resolve(specifier, context, next) {
  if (specifier !== '@jest/globals') return next(specifier, context);
  return { url: new URL('case-globals.mjs', import.meta.url).href, format: 'module', shortCircuit: true };
}
