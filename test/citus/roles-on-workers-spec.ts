import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { ensureServiceRole } from '../../src/platform/database/service-role/derived-service-role.js';
import { ensureServiceGroup } from '../../src/platform/database/service-role/service-group.js';
import { ensureRoleOnWorkers } from '../../src/platform/database/service-role/worker-roles.js';
import { nodeUrls } from '../support/database.js';
import { runAsAdmin } from '../support/database-nodes.js';
import { type ClusterDatabase, createClusterDatabase, createOwner } from './cluster-database.js';

const ONLY_HERE = 'SET citus.enable_ddl_propagation TO off';

describe('Roles that only the coordinator of a cluster has', () => {
  const roles: string[] = [];
  let database: ClusterDatabase;
  let workers: string[];
  beforeAll(async () => {
    await createOwner();
    database = await createClusterDatabase();
    workers = nodeUrls().slice(1);
  });
  afterEach(async () => {
    for (const role of roles.splice(0))
      for (const node of nodeUrls())
        await runAsAdmin(node, ONLY_HERE, `DROP ROLE IF EXISTS ${pg.escapeIdentifier(role)}`);
  });
  afterAll(() => database.drop());

  async function createOnCoordinator(role: string): Promise<void> {
    roles.push(role);
    await runAsAdmin(database.superuserUrl, ONLY_HERE, `CREATE ROLE ${pg.escapeIdentifier(role)} LOGIN`);
  }

  /** Attributes of the role on each worker that has it. */
  const onWorkers = (role: string) =>
    Promise.all(
      workers.map((node) =>
        runAsAdmin<{ login: boolean; groups: string[] }>(
          node,
          `SELECT rolcanlogin AS login, ARRAY(SELECT g.rolname::text FROM pg_auth_members m JOIN pg_roles g ON g.oid = m.roleid
                                               WHERE m.member = r.oid) AS groups
             FROM pg_roles r WHERE rolname = ${pg.escapeLiteral(role)}`,
        ),
      ),
    );

  it('the start creates on the workers, with their membership', async () => {
    const role = `${database.name.slice(0, 50)}_service`;
    await createOnCoordinator(role);
    await runAsAdmin(
      database.superuserUrl,
      ONLY_HERE,
      `GRANT filing_service_role TO ${pg.escapeIdentifier(role)}`,
      `GRANT ${pg.escapeIdentifier(role)} TO filing WITH ADMIN OPTION`,
    );
    expect(await onWorkers(role)).toEqual([[], []]);
    for (let start = 1; start <= 2; start += 1) {
      expect(new URL(await ensureServiceRole(database.ownerUrl)).username).toBe(role);
      const created = [{ login: true, groups: ['filing_service_role'] }];
      expect(await onWorkers(role)).toEqual([created, created]);
    }
  });

  it('the start refuses with the statement to run if the owner may not create them', async () => {
    const [owner, role] = ['owner', 'role'].map((name) => `${name}_${randomBytes(4).toString('hex')}`) as [
      string,
      string,
    ];
    await createOnCoordinator(owner);
    for (const worker of workers) await runAsAdmin(worker, ONLY_HERE, `CREATE ROLE ${owner} LOGIN`);
    await createOnCoordinator(role);
    const url = new URL(database.superuserUrl);
    url.username = owner;
    const client = new pg.Client({ connectionString: url.toString() });
    await client.connect();
    try {
      const ensure = () => ensureRoleOnWorkers(client, role, `LOGIN PASSWORD 'secret'`);
      const statements = `SET citus.enable_ddl_propagation TO off; CREATE ROLE ${pg.escapeIdentifier(role)} LOGIN`;
      await expect(ensure()).rejects.toThrow(
        new RegExp(
          `^The role ${role} cannot be created on the worker 127\\.0\\.0\\.1:\\d+ \\(.*\\)\\. .*: ${statements};$`,
        ),
      );
      for (const worker of workers) await runAsAdmin(worker, ...statements.split('; '));
      await ensure();
    } finally {
      await client.end();
    }
  });

  it('does nothing without Citus', async () => {
    const plain = await createClusterDatabase('plain');
    const client = new pg.Client({ connectionString: plain.ownerUrl });
    await client.connect();
    try {
      await ensureServiceGroup(client);
      await ensureRoleOnWorkers(client, 'missing', 'NOLOGIN');
    } finally {
      await client.end();
      await plain.drop();
    }
  });
});
