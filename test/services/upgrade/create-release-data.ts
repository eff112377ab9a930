import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from '../../../src/platform/database/embedded/processes.js';
import { PostgresServer } from '../postgres-server.js';
import { fillTenant } from './fill-tenant.js';
import { takeSnapshot } from './snapshot.js';

/**
 * Creates the data that `upgrade-spec.ts` upgrades. Runs the built release, fills its demo tenant, runs its story
 * example and imports its ADRs as documents. Saves database, data folder and a snapshot of answers in `<version>/`.
 *
 *   npm run release-data [-- <folder of the built release>]
 */
const release = path.resolve(process.argv[2] ?? '.');
const { version } = JSON.parse(await readFile(path.join(release, 'package.json'), 'utf8')) as {
  version: string;
};
const target = path.join(import.meta.dirname, version);
const server = await PostgresServer.start();
const directory = await mkdtemp(path.join(tmpdir(), 'filing-release-'));
let service: ChildProcess | undefined;
try {
  const environment = {
    PATH: process.env.PATH,
    PORT: '0',
    LOG_LEVEL: 'warn',
    DATABASE_URL: server.url,
    DATA_DIR: directory,
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_BURST: '1000000',
  };
  service = spawn(process.execPath, [path.join(release, 'dist/src/main.js')], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await urlOf(service);
  const commandEnvironment = { ...environment, PUBLIC_URL: url };
  const command = (name: string, ...args: string[]) =>
    run('npm', ['run', '--silent', name, '--', ...args], { cwd: release, env: commandEnvironment });
  const tokenOf = async (user: string) => (await command('token', '--as', user)).trim();

  await command('story');
  await command('import', '--file-type', 'building', path.join(release, 'docs/adr'));
  const tenant = `${url}/api/v1/t/demo`;
  await fillTenant(tenant, tokenOf);
  const snapshot = await takeSnapshot(tenant, await tokenOf('administrator'));
  service.kill('SIGTERM');
  const [code] = (await once(service, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The service ended with ${code}.`);

  await mkdir(target, { recursive: true });
  const file = (suffix: string) => path.join(target, version + suffix);
  const database = server.superuserUrl.replace(/[^/]*$/, 'filing');
  await run('pg_dump', ['--format=custom', `--file=${file('.dump')}`, database]);
  await run('tar', ['-cJf', file('-data.tar.xz'), '-C', directory, 'issuer', 'content']);
  await writeFile(file('-snapshot.json'), JSON.stringify(snapshot, null, 1));
  await run('xz', ['-9f', file('-snapshot.json')]);
  process.stdout.write(`Created the data of release ${version} in ${target}.\n`);
} finally {
  service?.kill('SIGKILL');
  await server.stop();
  await rm(directory, { recursive: true, force: true });
}

async function urlOf(child: ChildProcess): Promise<string> {
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  for (;;) {
    const url = /API\s+(http:\/\/\S+?)\/api/.exec(output)?.[1];
    if (url !== undefined) return url;
    if (child.exitCode !== null) throw new Error(`The service did not start:\n${output}`);
    await sleep(50);
  }
}
