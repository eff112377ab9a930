/**
 * Runs a suite of tests: `node scripts/test.mjs <suite> [arguments of jest]`. The suites are in test/jest.config.js.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Suites that run the service from `dist`. */
const NEED_BUILD = ['faults', 'pgbouncer', 'processes'];

const [suite, ...args] = process.argv.slice(2);
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
if (NEED_BUILD.includes(suite)) await import('./build-if-stale.mjs');
const options = [
  '--no-warnings',
  '--enable-source-maps',
  '--import=./test/support/runner/register-typescript.mjs',
];
const jest = ['node_modules/jest/bin/jest.js', '--config=test/jest.config.js'];
const child = spawn(process.execPath, [...options, ...jest, ...args], {
  stdio: 'inherit',
  env: { ...process.env, TEST_SUITE: suite },
});
// On Ctrl-C, jest gets the signal too; wait until it has ended.
process.on('SIGINT', () => undefined);
child.once('exit', (code) => process.exit(code ?? 1));
