/** Bundles the compiled service into dist/service: a few large files load faster than many (docs/adr/0055). */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

/** Packages in the bundle, with all that they load. Together they have 1,700 files. */
const BUNDLED = /^(@nestjs\/[^/]+|class-transformer|class-validator|express|prom-client|rxjs|typeorm)(\/|$)/;
/** What they load from outside: shared with other packages, with files of its own, or not installed. */
const OUTSIDE =
  /^(@fastify\/static|@nestjs\/(microservices|websockets)|ioredis|pg|pg-native|reflect-metadata|swagger-ui-dist)(\/|$)/;

/** Makes the source maps lead to the TypeScript sources. */
const compiledSources = {
  name: 'compiled-sources',
  load: (file) =>
    existsSync(`${file}.map`)
      ? { code: readFileSync(file, 'utf8'), map: readFileSync(`${file}.map`, 'utf8') }
      : undefined,
};

/** It requires class-validator at run time: now the one in the bundle. */
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
  external: (id, importer = '') =>
    !id.startsWith('.') &&
    !path.isAbsolute(id) &&
    !(importer.includes('node_modules') ? !OUTSIDE.test(id) : BUNDLED.test(id)),
  plugins: [compiledSources, mappedTypes],
  output: {
    ...{ dir: 'dist/service', format: 'esm', sourcemap: true },
    // Apart from the code that --help needs, too.
    codeSplitting: { groups: [{ name: 'packages', test: /node_modules/ }] },
  },
});
// Of packages, nobody needs it, and --enable-source-maps would read its ten megabytes.
for (const { fileName } of output.filter(({ name }) => name === 'packages')) {
  const file = path.join('dist/service', fileName);
  rmSync(`${file}.map`);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'));
}
