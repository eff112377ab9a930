import { afterAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { processIdentity } from '../../../src/platform/database/embedded/processes.js';
import { waitUntil } from '../../support/wait-until.js';
import {
  postmasterPid,
  runningPostmaster,
  signalIfRunning,
  sql,
  EmbeddedPostgresFixture,
} from './embedded-postgres-fixture.js';

const fixture = new EmbeddedPostgresFixture();
afterAll(() => fixture.clear());

describe('The embedded PostgreSQL, when the service ends', () => {
  let directory: string;

  it('finishes the requests in flight after Ctrl-C, then stops', async () => {
    directory = await fixture.folderWithPort();
    const service = await fixture.spawnService(directory);
    const pid = await postmasterPid(directory);
    await sql(service.url, 'CREATE TABLE kept (what text)', `INSERT INTO kept VALUES ('filed')`);
    service.signalGroup('SIGINT');
    expect(await service.nextLine()).toBe('answered');
    await service.exited;
    expect(await processIdentity(pid)).toBeUndefined();
    expect(fixture.log.join('\n')).not.toContain('connection lost');
  });

  it('keeps running after the service was killed, and the next service replaces it at the same address', async () => {
    const service = await fixture.spawnService(directory);
    const pid = await postmasterPid(directory);
    await service.kill();
    expect(await processIdentity(pid)).toBeDefined();
    const database = await fixture.start(directory, { settings: { max_connections: '17' } });
    expect(await processIdentity(pid)).toBeUndefined();
    expect(database.url).toBe(service.url);
    expect(await sql(database.url, 'SELECT what FROM kept')).toEqual([['filed']]);
    expect(await sql(database.url, 'SHOW max_connections')).toEqual([['17']]);
    await database.stop();
  });

  it('keeps all committed data when service and server are killed', async () => {
    const service = await fixture.spawnService(directory);
    const pid = await postmasterPid(directory);
    await sql(service.url, `INSERT INTO kept SELECT 'filed ' || n FROM generate_series(1, 10000) n`);
    // In this order the service cannot restart the server.
    await service.kill();
    process.kill(pid, 'SIGKILL');
    const database = await fixture.start(directory);
    expect(await sql(database.url, 'SELECT count(*)::int FROM kept')).toEqual([[10_001]]);
    await database.stop();
  });

  it('refuses the folder to a second service, in one sentence', async () => {
    const service = await fixture.spawnService(directory);
    await expect(fixture.start(directory)).rejects.toMatchObject({
      name: 'DatabaseStartError',
      pid: service.pid,
      message: expect.stringContaining(
        `The data folder ${directory} is in use by another running service (process ${service.pid})`,
      ),
    });
    expect(await sql(service.url, 'SELECT count(*)::int FROM kept')).toEqual([[10_001]]);
    service.signalGroup('SIGINT');
    await service.exited;
  });

  it('reports a server that cannot be restarted because its port is taken', async () => {
    let lose!: (error: Error) => void;
    const lost = new Promise<Error>((resolve) => (lose = resolve));
    const database = await fixture.start(directory, { onLost: lose, restartDelayMs: 50 });
    const intruder = createServer((socket) => socket.resume());
    // The restarted server may take the port first; then it is killed again.
    await waitUntil(async () => {
      const pid = await runningPostmaster(directory);
      if (pid !== undefined) signalIfRunning(pid, 'SIGKILL');
      const listening = once(intruder.listen(database.port, '127.0.0.1'), 'listening');
      return listening.then(
        () => true,
        () => false,
      );
    });
    const error = await lost;
    intruder.close();
    expect(error).toMatchObject({
      name: 'DatabaseStartError',
      message: expect.stringContaining('cannot be restarted'),
    });
  });
});
