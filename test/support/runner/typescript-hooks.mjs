import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compiledSource } from './compiled-source.mjs';

/** Module hooks of Node (register-typescript.mjs): TypeScript sources without a build. */
const isTypeScript = (url) => url !== undefined && new URL(url).pathname.endsWith('.ts');

export async function resolve(specifier, context, next) {
  // The package refuses to be loaded outside of jest's own module system.
  if (specifier === '@jest/globals') {
    return { url: new URL('jest-globals.mjs', import.meta.url).href, format: 'module', shortCircuit: true };
  }
  if (/^\.{1,2}\/.*\.js$/.test(specifier) && isTypeScript(context.parentURL)) {
    const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(url)) return { url: url.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !isTypeScript(url)) return next(url, context);
  return { format: 'module', source: await compiledSource(fileURLToPath(url)), shortCircuit: true };
}
