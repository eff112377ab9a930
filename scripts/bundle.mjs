/** Bundles the compiled service into dist/service: a few large files load faster than many (docs/adr/0055). */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { minify } from 'rolldown/utils';

/** Packages of hundreds of files. They load each other, so that one of them outside would load others a second time. */
const BUNDLED =
  /^(@nestjs\/(common|core|mapped-types|platform-express|swagger)|class-transformer|class-validator|es-toolkit|libphonenumber-js|rxjs|typeorm|validator)(\/|$)/;

/** Makes the source maps lead to the TypeScript sources. */
const compiledSources = {
  name: 'compiled-sources',
  load: (file) =>
    existsSync(`${file}.map`)
      ? { code: readFileSync(file, 'utf8'), map: readFileSync(`${file}.map`, 'utf8') }
      : undefined,
};

/** Without a `require` of its own, @nestjs/mapped-types gets the class-validator of the bundle. */
const mappedTypes = {
  name: 'mapped-types',
  load: (file) =>
    file.includes('node_modules/@nestjs/mapped-types/')
      ? readFileSync(file, 'utf8').replace('const require = createRequire(import.meta.url);', '')
      : undefined,
};

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
// File names contain a hash, so files of earlier builds would remain.
rmSync('dist/service', { recursive: true, force: true });
const { output } = await build({
  input: {
    main: 'dist/src/main.js',
    worker: 'dist/src/worker.js',
    // The programs that the service starts, by their path relative to its own file.
    instance: 'dist/src/start/instance.js',
    'reading/main': 'dist/src/platform/extraction/reading/main.js',
  },
  platform: 'node',
  external: (id) => !id.startsWith('.') && !path.isAbsolute(id) && !BUNDLED.test(id),
  plugins: [compiledSources, mappedTypes],
  output: {
    ...{ dir: 'dist/service', format: 'esm', sourcemap: true },
    codeSplitting: { groups: [{ name: 'packages', test: /node_modules/ }] },
  },
});
// Packages need no source map, which --enable-source-maps would read, and no comments, which would stay in memory.
for (const { fileName } of output.filter(({ name }) => name === 'packages')) {
  const file = path.join('dist/service', fileName);
  rmSync(`${file}.map`);
  const { code } = await minify(file, readFileSync(file, 'utf8'), { compress: false, mangle: false });
  writeFileSync(file, code);
}
