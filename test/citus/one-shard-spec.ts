import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { CITUS_SETTINGS, startOptions } from '../../src/platform/database/connections/session-limits.js';
import { type Statement, TenantBatch } from '../../src/platform/database/transactions/tenant-batch.js';
import { ExpirySweep } from '../../src/platform/tenancy/tenants/expiry-sweep.js';
import { DeliveryEngine } from '../../src/resources/webhooks/delivery/delivery-engine.js';
import { startIsolationFixture } from '../security/tenant-isolation/support/isolation-fixtures.js';
import { IsolationTest } from '../security/support/isolation-test.js';
import { nodeUrls } from '../support/database.js';
import { setLocal } from '../support/service-session.js';
import { SEVERAL_NODES } from './several-nodes.js';

/** PostgreSQL may plan a prepared statement for all values after five executions. */
const EXECUTIONS = 7;

/** Violated constraints, refused rows and values: the statement was sent. */
const WAS_SENT = /^(23|42501|22)/;

/** Statements that the nodes receive for a transaction, not for its statements. */
const OF_TRANSACTION = /^issuing (BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET|DEALLOCATE)\b/;

interface Execution {
  /** Null if the statement can be executed repeatedly. */
  readonly error: string | null;
  /** Nodes that Citus sent the statement to; none if the coordinator executed it. */
  readonly nodes: ReadonlySet<string>;
}

/**
 * Every statement that the service sends to more than one shard fails in these tests (test-server.ts). This spec also
 * executes each one often enough for a plan for all values, and looks at the nodes that get it.
 */
describe('Statements of the service on Citus', () => {
  let isolation: IsolationTest;
  let client: pg.Client;
  let nodes: Set<string>;
  const statements = new Map<string, Statement>();

  beforeAll(async () => {
    const submit = jest.spyOn(TenantBatch.prototype, 'submit');
    try {
      const fixture = await startIsolationFixture();
      isolation = await IsolationTest.create(fixture);
      // Operations that delete resources come last.
      const operations = [false, true].flatMap((isDelete) =>
        isolation.operations.filter(({ method }) => (method === 'DELETE') === isDelete),
      );
      for (const operation of operations)
        for (const template of [...operation.templates, ...operation.filterTemplates])
          await isolation.request(template, { token: isolation.callerOf(operation).token });
      await fetch(`${fixture.url}/api/v1/tenants`, {
        headers: { Authorization: `Bearer ${isolation.users.administrator.token}` },
      });
      const { app } = isolation.own.tenant.service;
      await app.get(ExpirySweep).sweep();
      await app.get(DeliveryEngine).runTenant(isolation.own.tenant.id);
      for (const batch of submit.mock.contexts as TenantBatch[])
        for (const statement of batch.statements) statements.set(statement.text, statement);
    } finally {
      submit.mockRestore();
    }
    client = new pg.Client({
      connectionString: isolation.own.tenant.service.database.serviceUrl,
      options: startOptions({
        ...CITUS_SETTINGS,
        'citus.log_remote_commands': 'on',
        client_min_messages: 'notice',
      }),
    });
    client.on('notice', ({ message = '', detail }) => {
      const [, node] = /^on server \S+@(\S+)/.exec(detail ?? '') ?? [];
      if (node && !OF_TRANSACTION.test(message)) nodes.add(node);
    });
    await client.connect();
  }, 600_000);
  afterAll(async () => {
    await client?.end();
    await isolation?.stop();
  });

  /** Executes a statement in the own tenant. */
  async function execute(
    { text, values = [], planEachTime }: Statement,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<Execution> {
    nodes = new Set();
    await client.query('BEGIN');
    try {
      await setLocal(client, { tenant_id: isolation.own.tenant.id, actor_id: '' });
      for (const [name, value] of Object.entries(settings))
        await client.query(`SET LOCAL ${name} TO ${value}`);
      for (let i = 0; i < EXECUTIONS; i += 1) {
        await client.query('SAVEPOINT execution');
        await client
          .query({ ...(!planEachTime && { name: 'repeated' }), text, values: [...values] })
          .catch((error: pg.DatabaseError) => {
            if (!WAS_SENT.test(error.code ?? '')) throw error;
          });
        await client.query('ROLLBACK TO SAVEPOINT execution');
      }
      return { error: null, nodes };
    } catch (error) {
      return { error: (error as Error).message, nodes };
    } finally {
      await client.query('ROLLBACK');
      await client.query('DEALLOCATE ALL');
      (client as unknown as { connection: { parsedStatements: object } }).connection.parsedStatements = {};
    }
  }

  const exceptionOf = ({ text }: Statement) => SEVERAL_NODES.find(({ statements: of }) => of.test(text));
  const executable = () =>
    [...statements.values()].filter(({ text }) => !/^(BEGIN|COMMIT|ROLLBACK|SET)\b/.test(text));

  it('need one shard of one node, also with a plan for all values', async () => {
    const ordinary = executable().filter((statement) => !exceptionOf(statement));
    expect(ordinary.length).toBeGreaterThan(120);
    const failures: string[] = [];
    for (const statement of ordinary) {
      const { error, nodes: used } = await execute(statement);
      if (error !== null) failures.push(`${error}: ${statement.text}`);
      if (used.size > 1) failures.push(`${[...used].join(', ')}: ${statement.text}`);
    }
    expect(failures).toEqual([]);
  });

  it.each(SEVERAL_NODES.map((exception) => [exception.name, exception] as const))(
    'use other nodes only for %s',
    async (_name, exception) => {
      const exceptions = executable().filter((statement) => exceptionOf(statement) === exception);
      expect(exceptions.length).toBeGreaterThan(0);
      const used = new Set<number>();
      for (const statement of exceptions) {
        const { error, nodes: of } = await execute(statement, { 'citus.multi_task_query_log_level': 'off' });
        expect([statement.text, error]).toEqual([statement.text, null]);
        used.add(of.size);
      }
      // The coordinator itself refuses what the service role may not do.
      const workers = nodeUrls().length - 1;
      if (exception.nodes === 'all') used.delete(0);
      expect([...used]).toEqual([exception.nodes === 'all' ? workers : 0]);
    },
  );

  it('would need several shards with a join in a DELETE', async () => {
    const text = `DELETE FROM expected_members e USING roles r
      WHERE e.tenant_id = $1 AND r.tenant_id = e.tenant_id AND r.id = e.role_id`;
    const { error } = await execute({ text, values: [isolation.own.tenant.id] });
    expect(error).toContain('multi-task query');
  });
});
