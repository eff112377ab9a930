import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compiledCopy, compiledSource } from './compiled-source.mjs';

/**
 * Module hooks of Node (register-typescript.mjs): TypeScript sources without a build. Without them, Node 20 cannot load a
 * spec: it has no TypeScript, and jest-light-runner does not transform files.
 */
const isTypeScript = (url) => url !== undefined && new URL(url).pathname.endsWith('.ts');

/** The program of the extraction processes. They run compiled files, as in production, because they cannot use these hooks. */
const EXTRACTION = new URL('../../../src/platform/extraction/', import.meta.url);
const READER = new URL('reading/main.ts', EXTRACTION).href;

async function compiledReader() {
  return pathToFileURL(path.join(await compiledCopy(fileURLToPath(EXTRACTION), ['.']), 'reading', 'main.js'))
    .href;
}

export async function resolve(specifier, context, next) {
  // The package throws when it is loaded outside the module system of jest.
  if (specifier === '@jest/globals') {
    return { url: new URL('jest-globals.mjs', import.meta.url).href, format: 'module', shortCircuit: true };
  }
  if (/^\.{1,2}\/.*\.js$/.test(specifier) && isTypeScript(context.parentURL)) {
    const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (url.href === READER) return { url: await compiledReader(), format: 'module', shortCircuit: true };
    if (existsSync(url)) return { url: url.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !isTypeScript(url)) return next(url, context);
  return { format: 'module', source: await compiledSource(fileURLToPath(url)), shortCircuit: true };
}
