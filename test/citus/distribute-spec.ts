import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { distributeDatabase } from '../../src/platform/database/distribution/distribute.js';
import { migrateDatabase } from '../../src/platform/database/schema/migrate.js';
import { ReleaseData } from '../services/upgrade/release-data.js';
import { differences, takeSnapshot } from '../services/upgrade/snapshot.js';
import { nodeUrls } from '../support/database.js';
import { closeTemplate, inDatabase, runAsAdmin } from '../support/database-nodes.js';
import { demoToken } from '../support/demo-token.js';
import { ServiceProcess } from '../support/service/service-process.js';
import { LONG_DATABASE_TIMEOUTS, waitFor } from '../support/wait-until.js';
import {
  type ClusterDatabase,
  cloneClusterDatabase,
  createClusterDatabase,
  createOwner,
} from './cluster-database.js';
import { type SchemaDescription, describeRows, describeSchema } from './schema-description.js';

const SHARDS = 4;
const REFERENCE_TABLES = ['service_secrets', 'tenant_slugs', 'tenants', 'users'];
const ACCESS_VERSION_KEY =
  'access_versions fk_access_versions_tenant FOREIGN KEY (tenant_id) REFERENCES tenants(id) true';

const ignoreLine = () => undefined;

describe('npm run distribute', () => {
  const databases: ClusterDatabase[] = [];
  let directory: string;
  let data: ReleaseData;
  /** Data of a release, migrated and not distributed. */
  let original: ClusterDatabase;
  /** Rows and foreign keys of `original`. */
  let rows: Record<string, string>;
  let foreignKeys: string[];
  /** Description of an undisturbed distribution of the data. */
  let expected: SchemaDescription;

  async function track(creating: Promise<ClusterDatabase>): Promise<ClusterDatabase> {
    const database = await creating;
    databases.push(database);
    return database;
  }

  const copy = () => track(cloneClusterDatabase(original));

  const COMMAND = 'tools/cli/distribute';
  const run = (environment: NodeJS.ProcessEnv, ...args: string[]) =>
    ServiceProcess.run({ DATA_DIR: directory, ...environment }, COMMAND, ...args);

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'filing-distribute-'));
    await createOwner();
    const [release] = await ReleaseData.find();
    if (!release) throw new Error('There is no data of a release.');
    data = release;
    await data.restoreContents(directory);
    original = await track(createClusterDatabase());
    await data.restoreDatabase(original.ownerUrl);
    await migrateDatabase(original.ownerUrl);
    rows = await comparableRows(original.superuserUrl);
    foreignKeys = foreignKeysOf(await describeSchema(original.superuserUrl));
    await closeTemplate(nodeUrls(), original.name);
    const distributed = await copy();
    await distributeDatabase(distributed.ownerUrl, SHARDS, ignoreLine);
    expected = await describeSchema(distributed.superuserUrl);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    for (const database of databases.splice(1)) await database.drop();
  });

  afterAll(async () => {
    for (const database of databases) await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  it('migrates and distributes an empty database; a repeated run changes nothing', async () => {
    const { ownerUrl, superuserUrl } = await track(createClusterDatabase());
    const { code, output, errors } = await run({ DATABASE_URL: ownerUrl }, '--shards', '6');
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(output).toMatch(/^migrated: Tenancy1763700000000\n/);
    expect(output).toMatch(/\ndistributed: files \([\d.]+ s\)\n/);
    expect(output).toMatch(/\nDistributed the database in 6 shards over 2 nodes\.\n$/);
    const description = await describeSchema(superuserUrl);
    expect(description).toEqual(expected);

    const again = await run({ DATABASE_URL: ownerUrl });
    expect(again).toEqual({
      code: 0,
      output: 'The database is already distributed, in 6 shards over 2 nodes.\n',
      errors: '',
    });
    expect(await describeSchema(superuserUrl)).toEqual(description);
  });

  it('distributes every table with a tenant by it, colocated, and copies the other ones to every node', async () => {
    const { ownerUrl, superuserUrl } = await copy();
    await distributeDatabase(ownerUrl, SHARDS, ignoreLine);
    const tables = await runAsAdmin<{ name: string; column: string | null; group: number; shards: number }>(
      superuserUrl,
      `SELECT c.relname AS name, column_to_column_name(p.logicalrelid, p.partkey) AS column, p.colocationid AS group,
              (SELECT count(*)::int FROM pg_dist_shard s WHERE s.logicalrelid = p.logicalrelid) AS shards
         FROM pg_class c LEFT JOIN pg_dist_partition p ON p.logicalrelid = c.oid
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' ORDER BY c.relname`,
    );
    const reference = tables.filter(({ shards }) => shards === 1);
    expect(reference.map(({ name }) => name)).toEqual(REFERENCE_TABLES);
    const other = tables.filter(({ shards }) => shards === 0);
    expect(other.map(({ name }) => name)).toEqual(['event_log_origin', 'migrations']);
    const distributed = tables.filter(({ shards }) => shards > 1);
    const [first] = distributed;
    expect(distributed).toEqual(
      distributed.map(({ name }) => ({ name, column: 'tenant_id', group: first?.group, shards: SHARDS })),
    );
    expect(distributed.map(({ name }) => name)).toEqual(expect.arrayContaining(['access_versions', 'files']));
  });

  it('keeps all rows, foreign keys and answers of the API', async () => {
    const { ownerUrl, superuserUrl } = await copy();
    const { code, errors } = await run({ DATABASE_URL: ownerUrl }, '--shards', String(SHARDS));
    expect({ code, errors }).toEqual({ code: 0, errors: '' });

    expect(await comparableRows(superuserUrl)).toEqual(rows);
    const differing = await runAsAdmin(
      superuserUrl,
      `SELECT t.id FROM tenants t LEFT JOIN access_versions v ON v.tenant_id = t.id
        WHERE v.access_version IS DISTINCT FROM t.access_version`,
    );
    expect(differing).toEqual([]);
    expect(foreignKeysOf(await describeSchema(superuserUrl))).toEqual(
      [...foreignKeys, ACCESS_VERSION_KEY].sort(),
    );

    const service = new ServiceProcess({
      PORT: '0',
      DATABASE_URL: ownerUrl,
      DATA_DIR: directory,
      RATE_LIMIT_PER_MINUTE: '1000000',
      RATE_LIMIT_BURST: '1000000',
      BIN_RETENTION_DAYS: '36500',
      NOTIFICATION_RETENTION_DAYS: '36500',
      ...LONG_DATABASE_TIMEOUTS,
    });
    try {
      const url = await service.url();
      const token = await demoToken(url, directory, 'administrator');
      const snapshot = await takeSnapshot(`${url}/api/v1/t/demo`, token);
      const { members: _members, ...before } = await data.snapshot();
      expect(differences(before, snapshot)).toEqual([]);
    } finally {
      service.signal('SIGTERM');
      await service.exit;
    }
  });

  it('leaves no rows in the files of the coordinator', async () => {
    const { ownerUrl, superuserUrl } = await copy();
    await distributeDatabase(ownerUrl, SHARDS, ignoreLine);
    const filled = await runAsAdmin(
      superuserUrl,
      `SELECT logicalrelid::text FROM pg_dist_partition WHERE pg_relation_size(logicalrelid) > 0`,
    );
    expect(filled).toEqual([]);
  });

  it('continues after an interruption of each transaction', async () => {
    const { ownerUrl, superuserUrl } = await copy();
    // The event logs of a copy get other ids, in a transaction before the distribution.
    await migrateDatabase(ownerUrl);
    // Each run commits one transaction, and is interrupted before it commits the next one.
    let runs = 0;
    for (let isComplete = false; !isComplete; runs += 1) {
      const interruption = interruptBeforeCommit(runs === 0 ? 1 : 2);
      await distributeDatabase(ownerUrl, SHARDS, ignoreLine).then(
        () => (isComplete = true),
        (error: Error) => {
          if (!interruption.hasHappened()) throw error;
          expect(error.message).toMatch(/^The distribution was interrupted: .*\. Repeat it to continue\.$/);
        },
      );
      interruption.end();
    }
    expect(runs).toBeGreaterThan(Object.keys(rows).length);
    expect(await describeSchema(superuserUrl)).toEqual(expected);
    expect(await comparableRows(superuserUrl)).toEqual(rows);
  });

  it('continues after the command was killed while it distributed a table', async () => {
    const { ownerUrl, superuserUrl } = await copy();
    const command = new ServiceProcess(
      { DATA_DIR: directory, DATABASE_URL: ownerUrl },
      { entry: COMMAND, args: ['--shards', String(SHARDS)] },
    );
    await waitFor(async () => {
      const [running] = await runAsAdmin(
        superuserUrl,
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%create_distributed_table(''d%'`,
      );
      return running !== undefined;
    }, 'a table being distributed');
    command.signal('SIGKILL');
    await command.exit;
    await expect(migrateDatabase(ownerUrl)).rejects.toThrow(
      'The distribution of the database was interrupted. Run npm run distribute again to complete it.',
    );
    const { code, output, errors } = await run({ DATABASE_URL: ownerUrl });
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    // The number of shards is that of the first run.
    expect(output).toMatch(/^Continuing an interrupted distribution\.\n[^]*in 4 shards over 2 nodes\.\n$/);
    expect(await describeSchema(superuserUrl)).toEqual(expected);
    expect(await comparableRows(superuserUrl)).toEqual(rows);
  });

  describe('refuses', () => {
    it('the embedded database', async () => {
      expect(await run({})).toEqual({
        code: 1,
        output: '',
        errors:
          'Set DATABASE_URL to the coordinator of a Citus cluster. The embedded database cannot be distributed.\n',
      });
    });

    it('an invalid number of shards', async () => {
      expect(await run({ DATABASE_URL: original.ownerUrl }, '--shards', '0')).toEqual({
        code: 2,
        output: '',
        errors: '--shards must be a whole number from 1 to 1024. See --help.\n',
      });
    });

    it.each([
      ['a database without Citus', 'plain', 'has no Citus extension'],
      ['a cluster without nodes', 'without nodes', 'has no node for data'],
    ] as const)('%s', async (_title, kind, message) => {
      const { ownerUrl, superuserUrl } = await track(createClusterDatabase(kind));
      expect(await run({ DATABASE_URL: ownerUrl })).toEqual({
        code: 1,
        output: '',
        errors: expect.stringMatching(new RegExp(`^.*${message}.*\\n$`)),
      });
      const tables = await runAsAdmin(superuserUrl, `SELECT FROM pg_tables WHERE schemaname = 'public'`);
      expect(tables).toEqual([]);
    });

    it('a worker', async () => {
      const { name } = await track(createClusterDatabase());
      const [, worker = ''] = nodeUrls();
      expect(await run({ DATABASE_URL: inDatabase(worker, name) })).toEqual({
        code: 1,
        output: '',
        errors: 'DATABASE_URL is a worker of the Citus cluster. Use the URL of the coordinator.\n',
      });
    });

    it('a database that the service uses', async () => {
      const { ownerUrl, superuserUrl } = await copy();
      const client = new pg.Client({ connectionString: superuserUrl, application_name: 'filing-service' });
      await client.connect();
      try {
        expect(await run({ DATABASE_URL: ownerUrl })).toEqual({
          code: 1,
          output: '',
          errors:
            'The service uses the database (connections: 1). Stop all instances, workers and commands first.\n',
        });
      } finally {
        await client.end();
      }
      expect(await runAsAdmin(superuserUrl, 'SELECT FROM pg_dist_partition')).toEqual([]);
    });
  });
});

/**
 * Without the access versions, which only a distributed database has in a table of their own, and without the ids of the
 * event logs: a copy of a database begins new ones.
 */
async function comparableRows(url: string): Promise<Record<string, string>> {
  const {
    access_versions: _versions,
    event_log_origin: _origin,
    event_logs: _logs,
    ...rows
  } = await describeRows(url);
  return rows;
}

function foreignKeysOf({ constraints = [] }: SchemaDescription): string[] {
  return constraints.filter((text) => text.includes(' FOREIGN KEY '));
}

/** Closes the connection of `distributeDatabase` instead of sending its COMMIT with this number. */
function interruptBeforeCommit(number: number) {
  let commits = 0;
  const query = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown;
  const spy = jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client & { connection: { stream: { destroy(): void } } },
    ...args: unknown[]
  ) {
    if (args[0] === 'COMMIT' && (commits += 1) === number) this.connection.stream.destroy();
    return query.apply(this, args);
  });
  return { hasHappened: () => commits >= number, end: () => spy.mockRestore() };
}
