import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Replica, ReplicatedDatabase } from '../services/replicas/replicated-database.js';
import { createTenant } from '../support/create-tenant.js';
import { inDatabase } from '../support/database-nodes.js';
import { databaseEnvironment } from '../support/pooler.js';
import { PgBouncer } from '../support/servers/pgbouncer.js';
import { ServiceProcess } from '../support/service/service-process.js';
import { WAIT_TIMEOUT_MS, waitUntil } from '../support/wait-until.js';

const SLUG = 'registry';
const EMAIL = 'registrar@people.example';

describe('Read replicas of a service behind PgBouncer', () => {
  let database: ReplicatedDatabase;
  let replica: Replica;
  let pooler: PgBouncer;
  let directory: string;
  beforeAll(async () => {
    database = await ReplicatedDatabase.start();
    replica = await database.replica('log_statement=all');
    pooler = await PgBouncer.startFor(inDatabase(database.primary.superuserUrl, 'filing'));
    directory = await mkdtemp(path.join(tmpdir(), 'filing-replicas-'));
    await createTenant(database.database.ownerUrl, {
      slug: SLUG,
      name: 'Registry',
      expectedMembers: [{ email: EMAIL, roleKey: 'administrator' }],
    });
  });
  afterAll(async () => {
    await pooler.stop();
    await database.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('answer with unnamed statements and the time limits of the role', async () => {
    const { ownerUrl } = database.database;
    const token = await database.issuer.token({ sub: 'registrar', email: EMAIL, email_verified: true });
    const service = new ServiceProcess({
      ...databaseEnvironment(ownerUrl, pooler.through(ownerUrl)),
      DATABASE_REPLICA_URLS: replica.url,
      DATABASE_ACQUIRE_TIMEOUT_MS: String(WAIT_TIMEOUT_MS),
      DATABASE_STATEMENT_TIMEOUT_MS: '77000',
      OIDC_ISSUER: database.issuer.url,
      DATA_DIR: directory,
      PORT: '0',
      METRICS_PORT: '0',
      RATE_LIMIT_PER_MINUTE: '1000000',
      RATE_LIMIT_BURST: '1000000',
    });
    try {
      const url = `${await service.url()}/api/v1/t/${SLUG}/files`;
      await waitUntil(async () => {
        expect((await fetch(url, { headers: { Authorization: `Bearer ${token}` } })).status).toBe(200);
        return /execute <unnamed>: .*FROM files/s.test(await replica.server.log());
      }, 'a list from the replica');
      expect(await replica.server.log()).not.toMatch(/execute s_/);
      const settings = await replica.server.queryAsSuperuser<{ settings: string[] }>(
        `SELECT setconfig AS settings FROM pg_db_role_setting WHERE setrole = 'filing_service'::regrole`,
      );
      expect(settings.flatMap((row) => row.settings)).toContain('statement_timeout=77000');
    } finally {
      service.signal('SIGTERM');
      expect(await service.exit).toBe(0);
    }
  });
});
