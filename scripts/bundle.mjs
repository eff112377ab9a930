/** Bundles the compiled service into dist/service: a few large files load faster than many (docs/adr/0055). */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

/** The only packages in the bundle: @nestjs/swagger loads all 428 files of es-toolkit/compat for some functions. */
const BUNDLED = /^(@nestjs\/swagger|es-toolkit)(\/|$)/;

/** Makes the source maps lead to the TypeScript sources. */
const compiledSources = {
  name: 'compiled-sources',
  load: (file) =>
    existsSync(`${file}.map`)
      ? { code: readFileSync(file, 'utf8'), map: readFileSync(`${file}.map`, 'utf8') }
      : undefined,
};

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
// File names contain a hash, so files of earlier builds would remain.
rmSync('dist/service', { recursive: true, force: true });
await build({
  input: {
    main: 'dist/src/main.js',
    worker: 'dist/src/worker.js',
    // The programs that the service starts, by their path relative to its own file.
    instance: 'dist/src/start/instance.js',
    'reading/main': 'dist/src/platform/extraction/reading/main.js',
  },
  platform: 'node',
  external: (id) => !id.startsWith('.') && !path.isAbsolute(id) && !BUNDLED.test(id),
  plugins: [compiledSources],
  output: { dir: 'dist/service', format: 'esm', sourcemap: true },
});
