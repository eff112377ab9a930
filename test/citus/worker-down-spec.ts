import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTenant } from '../support/create-tenant.js';
import { runAsAdmin } from '../support/database-nodes.js';
import { demoToken } from '../support/demo-token.js';
import { type PostgresProcess } from '../support/servers/postgres-process.js';
import { ServiceProcess } from '../support/service/service-process.js';
import { waitFor } from '../support/wait-until.js';
import { type OwnCluster, placementOf, restart, startOwnCluster } from './own-cluster.js';

const ADMINISTRATOR = 'administrator@people.example';
const NOT_STORED = /changed users cannot be stored/g;

describe('A Citus cluster with a worker down', () => {
  let own: OwnCluster;
  let directory: string;
  let worker: PostgresProcess;
  let service: ServiceProcess;
  let url: string;
  /** A tenant of a worker that is never killed. */
  let slug: string;

  const start = () =>
    new ServiceProcess({ PORT: '0', METRICS_PORT: '0', DATABASE_URL: own.ownerUrl, DATA_DIR: directory });

  /** A new token with this name. All instances share the keys in the data folder. */
  const tokenOf = (email: string, name: string, at = url) => demoToken(at, directory, email, name);

  async function send(method: string, resource: string, token: string, body?: object, at = url) {
    const response = await fetch(`${at}/api/v1/t/${slug}${resource}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, retryAfter: response.headers.get('retry-after') };
  }

  const kill = () => process.kill(worker.pid, 'SIGKILL');

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'filing-worker-down-'));
    own = await startOwnCluster();
    worker = own.cluster.workers[0] as PostgresProcess;
    service = start();
    url = await service.url();
    for (let number = 1; ; number += 1) {
      slug = `tenant-${number}`;
      const expectedMembers = [{ email: ADMINISTRATOR, roleKey: 'administrator' as const }];
      await createTenant(own.ownerUrl, { slug, name: slug, expectedMembers });
      if ((await placementOf(own.superuserUrl, slug)).port !== worker.port) break;
    }
    expect(await send('GET', '/files', await tokenOf(ADMINISTRATOR, 'Ada'))).toMatchObject({ status: 200 });
  });

  afterAll(async () => {
    service.signal('SIGKILL');
    await service.exit;
    await own.cluster.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const namesOfUser = () =>
    runAsAdmin(own.superuserUrl, `SELECT display_name AS name FROM users WHERE email = '${ADMINISTRATOR}'`);

  it('serves new tokens of known users, with the stored row, and stores new claims afterwards', async () => {
    kill();
    const unchanged = await tokenOf(ADMINISTRATOR, 'Ada');
    expect(await send('GET', '/files', unchanged)).toMatchObject({ status: 200 });
    for (const name of ['Ada Archivist', 'Ada Auditor']) {
      const token = await tokenOf(ADMINISTRATOR, name);
      expect(await send('GET', '/files', token)).toMatchObject({ status: 200 });
      const tag = await send('POST', '/tags', token, { name });
      expect(tag).toMatchObject({ status: 201 });
    }
    expect(service.output.match(NOT_STORED)).toHaveLength(1);
    expect(await namesOfUser()).toEqual([{ name: 'Ada' }]);
    const newUser = await tokenOf('new@people.example', 'Nora New');
    expect(await send('GET', '/files', newUser)).toEqual({ status: 503, retryAfter: '2' });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    await restart(worker);
    await waitFor(async () => {
      await send('GET', '/files', await tokenOf(ADMINISTRATOR, 'Ada Restored'));
      return JSON.stringify(await namesOfUser()) === '[{"name":"Ada Restored"}]';
    }, 'the stored name');
    expect(await send('GET', '/files', newUser)).toMatchObject({ status: 403 });
  });

  it('starts an instance, with a warning that names the worker', async () => {
    kill();
    const other = start();
    try {
      const at = await other.url();
      expect(other.output).toMatch(
        new RegExp(`Warning: the worker 127\\.0\\.0\\.1:${worker.port} does not answer \\(.*\\)\\. `),
      );
      const token = await tokenOf(ADMINISTRATOR, 'Ada', at);
      expect(await send('POST', '/tags', token, { name: 'meanwhile' }, at)).toMatchObject({ status: 201 });
    } finally {
      other.signal('SIGTERM');
      await other.exit;
      await restart(worker);
    }
  });

  it('refuses the start when the database must change, and names the worker', async () => {
    await runAsAdmin(own.superuserUrl, `UPDATE tenants SET built_in_roles = 'of another release'`);
    kill();
    const other = start();
    expect(await other.exit).toBe(1);
    expect(other.errors).toMatch(
      new RegExp(`^The schema migration failed: [^]* These do not answer: 127\\.0\\.0\\.1:${worker.port}\\.`),
    );
    expect(other.errors).not.toContain('CREATEROLE');
    await restart(worker);
    const current = start();
    await current.url();
    current.signal('SIGTERM');
    await current.exit;
  });
});
