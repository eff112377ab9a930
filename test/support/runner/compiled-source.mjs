import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** How the tests compile TypeScript; the production build uses tsc (tsconfig.build.json). */
const OPTIONS = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    // `useDefineForClassFields` would reset the fields of DTO classes (docs/adr/0002-esm-and-jest.md).
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/filing-tests/', import.meta.url));

const { version } = createRequire(import.meta.url)('@swc/core/package.json');
const SALT = `${version}\n${JSON.stringify(OPTIONS)}\n`;

/**
 * JavaScript of a TypeScript file, from the cache where it is there. Only a miss loads the compiler: at its first use on
 * a machine @swc/core unpacks its native code into a folder, which reading processes of the service must not do.
 */
export async function compiledSource(filename) {
  const source = await readFile(filename, 'utf8');
  // The path is part of the key because the source map names it.
  const key = createHash('sha256').update(`${SALT}${filename}\n`).update(source).digest('hex');
  const cached = path.join(CACHE, `${key}.mjs`);
  try {
    return await readFile(cached, 'utf8');
  } catch {
    const { transform } = await import('@swc/core');
    const { code } = await transform(source, { ...OPTIONS, filename });
    // Renamed into place: several processes may compile the same file.
    const draft = `${cached}.${process.pid}`;
    await mkdir(CACHE, { recursive: true });
    await writeFile(draft, code);
    await rename(draft, cached);
    return code;
  }
}

/** Fills the cache with all sources of a folder. */
export async function compileFolder(folder) {
  const names = await readdir(folder, { recursive: true });
  const sources = names.filter((name) => name.endsWith('.ts'));
  await Promise.all(sources.map((name) => compiledSource(path.join(folder, name))));
}
