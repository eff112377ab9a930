import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// Without the cache, each worker would compile all files in every run. Without the compiled copy, the processes that tests
// start could not run the sources.

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

const DAY_MS = 24 * 3600 * 1000;
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/filing-tests/', import.meta.url));

const { version } = createRequire(import.meta.url)('@swc/core/package.json');
const SALT = `${version}\n${JSON.stringify(OPTIONS)}\n`;

/** JavaScript of a TypeScript file, from the cache if possible. The compiler is loaded only on a cache miss. */
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
    await put(cached, code);
    return code;
  }
}

/** Writes and renames, because several processes may write the same file. */
async function put(file, content) {
  const draft = `${file}.${randomUUID()}`;
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(draft, content);
  await rename(draft, file);
}

/** File names and JavaScript of all TypeScript files in a folder. */
async function compileFolder(folder) {
  const names = (await readdir(folder, { recursive: true })).filter((name) => /(?<!\.d)\.ts$/.test(name));
  return Promise.all(
    names.map(async (name) => [name.replace(/\.ts$/, '.js'), await compiledSource(path.join(folder, name))]),
  );
}

/** Compiles folders of `root` into a new folder, for programs that run without module hooks. */
export async function compiledCopy(root, folders) {
  const compiled = await Promise.all(
    folders.map(async (folder) =>
      (await compileFolder(path.join(root, folder))).map(([name, code]) => [path.join(folder, name), code]),
    ),
  );
  const files = [['package.json', '{ "type": "module" }'], ...compiled.flat()];
  // Named by the hash of its content, so that it never changes while a program runs from it.
  const copy = path.join(CACHE, createHash('sha256').update(JSON.stringify(files)).digest('hex'));
  await Promise.all(
    files.map(async ([name, code]) => {
      const file = path.join(copy, name);
      if (!existsSync(file)) await put(file, code);
    }),
  );
  await utimes(copy, new Date(), new Date());
  return copy;
}

/** Removes copies that were not used for a day. Every version of the sources has its own copy. */
export async function removeOldCopies() {
  for (const entry of await readdir(CACHE, { withFileTypes: true })) {
    const copy = path.join(CACHE, entry.name);
    // Another test run may have removed it.
    const usedAt = (await stat(copy).catch(() => null))?.mtimeMs ?? Infinity;
    if (entry.isDirectory() && Date.now() - usedAt > DAY_MS) await rm(copy, { recursive: true, force: true });
  }
}
