import { register } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import '../support/runner/register-typescript.mjs';
import { cases } from './case-globals.mjs';

/**
 * Writes the cases of the given spec files as JSON, by file, each as the list of its titles from the outermost describe
 * on. The files are loaded as modules, so that cases defined by helpers are included. No case is run.
 */
register('./case-hooks.mjs', import.meta.url);

const files = {};
for (const file of process.argv.slice(2)) {
  cases.length = 0;
  await import(pathToFileURL(resolve(file)).href);
  files[file] = [...cases];
}
process.stdout.write(JSON.stringify(files), () => process.exit());
