/** Node's hooks: `@jest/globals` is case-globals.mjs. */
export async function resolve(specifier, context, next) {
  if (specifier !== '@jest/globals') return next(specifier, context);
  return { url: new URL('case-globals.mjs', import.meta.url).href, format: 'module', shortCircuit: true };
}
