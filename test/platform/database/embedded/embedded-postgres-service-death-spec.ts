import { afterAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { processIdentity } from '../../../../src/platform/database/embedded/processes.js';
import { waitUntil } from '../../../support/wait-until.js';
import {
  postmasterPid,
  runningPostmaster,
  signalIfRunning,
  sql,
  EmbeddedPostgresFixture,
} from './embedded-postgres-fixture.js';

const fixture = new EmbeddedPostgresFixture();
afterAll(() => fixture.clear());

describe('When the service dies', () => {
  let directory: string;

  it('Ctrl-C in a terminal lets the requests in flight finish, and then the database stops', async () => {
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

  it('a killed one leaves its server running, and the next takes it over', async () => {
    const service = await fixture.spawnService(directory);
    const pid = await postmasterPid(directory);
    await service.kill();
    expect(await processIdentity(pid)).toBeDefined();
    const database = await fixture.start(directory);
    expect(await postmasterPid(directory)).toBe(pid);
    expect(database.url).toBe(service.url);
    expect(await sql(database.url, 'SELECT what FROM kept')).toEqual([['filed']]);

    // It is looked after like one of our own.
    process.kill(pid, 'SIGKILL');
    await waitUntil(
      async () => (await sql(database.url, 'SELECT what FROM kept').catch(() => [])).length === 1,
    );
    const second = await postmasterPid(directory);
    await database.stop();
    expect(await processIdentity(second)).toBeUndefined();
  });

  it('a server with other settings is stopped and started anew', async () => {
    const service = await fixture.spawnService(directory);
    const pid = await postmasterPid(directory);
    await service.kill();
    const database = await fixture.start(directory, { settings: { max_connections: '17' } });
    expect(await processIdentity(pid)).toBeUndefined();
    expect(await sql(database.url, 'SHOW max_connections')).toEqual([['17']]);
    await database.stop();
  });

  it('one that was killed together with its server loses nothing that was committed', async () => {
    const service = await fixture.spawnService(directory);
    const pid = await postmasterPid(directory);
    await sql(service.url, `INSERT INTO kept SELECT 'filed ' || n FROM generate_series(1, 10000) n`);
    // In this order it cannot be started again in between.
    await service.kill();
    process.kill(pid, 'SIGKILL');
    const database = await fixture.start(directory);
    expect(await sql(database.url, 'SELECT count(*)::int FROM kept')).toEqual([[10_001]]);
    await database.stop();
  });

  it('a second one is refused the folder of the first, in one sentence', async () => {
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
      message: expect.stringContaining('does not run again'),
    });
  });
});
