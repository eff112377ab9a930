import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { CITUS_SETTINGS, startOptions } from '../../src/platform/database/connections/session-limits.js';
import { type Statement, TenantBatch } from '../../src/platform/database/transactions/tenant-batch.js';
import { startIsolationFixture } from '../security/tenant-isolation/support/isolation-fixtures.js';
import { IsolationTest } from '../security/support/isolation-test.js';
import { setLocal } from '../support/service-session.js';

/** PostgreSQL may plan a prepared statement for all values after five executions. */
const EXECUTIONS = 7;

/** The tenants of a user are on all shards (docs/adr/0032). */
const OF_ALL_SHARDS = /\bFROM own_tenants\b/;

/** Violated constraints, refused rows and values: the statement was sent. */
const WAS_SENT = /^(23|42501|22)/;

/**
 * Every statement that the service sends to more than one shard fails in these tests (test-server.ts). This spec also
 * executes each one often enough for a plan for all values.
 */
describe('Statements of requests on Citus', () => {
  let isolation: IsolationTest;
  let client: pg.Client;
  const statements = new Map<string, Statement>();

  beforeAll(async () => {
    const submit = jest.spyOn(TenantBatch.prototype, 'submit');
    try {
      isolation = await IsolationTest.create(await startIsolationFixture());
      // Operations that delete resources come last.
      const operations = [false, true].flatMap((isDelete) =>
        isolation.operations.filter(({ method }) => (method === 'DELETE') === isDelete),
      );
      for (const operation of operations)
        for (const template of [...operation.templates, ...operation.filterTemplates])
          await isolation.request(template, { token: isolation.callerOf(operation).token });
      for (const batch of submit.mock.contexts as TenantBatch[])
        for (const statement of batch.statements) statements.set(statement.text, statement);
    } finally {
      submit.mockRestore();
    }
    client = new pg.Client({
      connectionString: isolation.own.tenant.service.database.serviceUrl,
      options: startOptions(CITUS_SETTINGS),
    });
    await client.connect();
  }, 600_000);
  afterAll(async () => {
    await client?.end();
    await isolation?.stop();
  });

  /** The error of a statement in the own tenant; null if it can be executed repeatedly. */
  async function errorOf({ text, values = [] }: Statement): Promise<string | null> {
    await client.query('BEGIN');
    try {
      await setLocal(client, { tenant_id: isolation.own.tenant.id, actor_id: '' });
      for (let i = 0; i < EXECUTIONS; i += 1) {
        await client.query('SAVEPOINT execution');
        await client
          .query({ name: 'repeated', text, values: [...values] })
          .catch((error: pg.DatabaseError) => {
            if (!WAS_SENT.test(error.code ?? '')) throw error;
          });
        await client.query('ROLLBACK TO SAVEPOINT execution');
      }
      return null;
    } catch (error) {
      return (error as Error).message;
    } finally {
      await client.query('ROLLBACK');
      await client.query('DEALLOCATE ALL');
      (client as unknown as { connection: { parsedStatements: object } }).connection.parsedStatements = {};
    }
  }

  it('need one shard, also with a plan for all values', async () => {
    const prepared = [...statements.values()].filter(
      ({ text, planEachTime }) =>
        !planEachTime && !OF_ALL_SHARDS.test(text) && !/^(BEGIN|COMMIT|ROLLBACK)\b/.test(text),
    );
    expect(prepared.length).toBeGreaterThan(120);
    const failures: string[] = [];
    for (const statement of prepared) {
      const error = await errorOf(statement);
      if (error !== null) failures.push(`${error}: ${statement.text}`);
    }
    expect(failures).toEqual([]);
  });

  it('would need several shards with a join in a DELETE', async () => {
    const text = `DELETE FROM expected_members e USING roles r
      WHERE e.tenant_id = $1 AND r.tenant_id = e.tenant_id AND r.id = e.role_id`;
    expect(await errorOf({ text, values: [isolation.own.tenant.id] })).toContain('multi-task query');
  });
});
