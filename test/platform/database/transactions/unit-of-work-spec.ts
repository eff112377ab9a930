import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { type DataSource } from 'typeorm';
import { openDatabase } from '../../../../src/application.js';
import { newId } from '../../../../src/common/identifier.js';
import { Problem } from '../../../../src/common/problem.js';
import {
  type RunQuery,
  type TenantContext,
} from '../../../../src/platform/database/transactions/tenant-context.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../../../src/platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../../../src/platform/database/transactions/unit-of-work.js';
import { Recording } from '../../../../src/platform/recording/recording.js';
import { serviceContext } from '../../../../src/platform/tenancy/access/access.directory.js';
import { waitForBlockedStatements } from '../../../support/locks.js';
import { TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';

function signal(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

const INSERT = `INSERT INTO tags (tenant_id, id, name, name_key) VALUES ($1, $2, $3, $3)`;
const SETTING = `SELECT current_setting('app.tenant_id', true) AS setting`;

describe('UnitOfWork', () => {
  let service: TestService;
  let dataSource: DataSource;
  let pool: pg.Pool;
  let uow: UnitOfWork;
  let one: TestTenant;
  let other: TestTenant;

  const context = (tenant: TestTenant, more: Partial<TenantContext> = {}): TenantContext => ({
    ...serviceContext(tenant.id),
    ...more,
  });
  const addTag = (tenant: TestTenant, name: string) => service.query(INSERT, [tenant.id, newId(), name]);
  const tagNames = async (tenant: TestTenant) =>
    (
      await service.query<{ name: string }>('SELECT name FROM tags WHERE tenant_id = $1 ORDER BY name', [
        tenant.id,
      ])
    ).map(({ name }) => name);

  /** With only one connection, so that state left by a transaction would affect the next one. */
  const openOne = (databasePrepared: boolean) =>
    openDatabase(
      { ...service.configuration, databaseDirectUrl: undefined, databasePoolSize: 1, databasePrepared },
      service.database.serviceUrl,
    );

  beforeAll(async () => {
    service = await TestService.start();
    dataSource = await openOne(true);
    pool = (dataSource.driver as unknown as { master: pg.Pool }).master;
    // Some statements have no condition on the tenant; on Citus, they query all shards.
    await pool.query(`SET citus.multi_task_query_log_level TO 'off'`);
    uow = await UnitOfWork.open(dataSource, new Recording());
  });

  beforeEach(async () => {
    [one, other] = [await service.tenant(), await service.tenant()];
  });

  afterAll(async () => {
    await dataSource.destroy();
    await service.stop();
  });

  it.each([true, false])('keeps prepared statements on the connection if enabled: %s', async (prepared) => {
    const own = await openOne(prepared);
    try {
      const unit = await UnitOfWork.open(own, new Recording());
      const name = `prepared ${prepared}`;
      await unit.write(context(one), (tx) => tx.query(INSERT, [one.id, newId(), name]));
      const read = () =>
        unit.read(context(one), (tx) =>
          tx.query('SELECT name FROM tags WHERE tenant_id = $1 AND name = $2', [one.id, name]),
        );
      expect(await read()).toEqual([{ name }]);
      expect(await read()).toEqual([{ name }]);
      const [row] = await own.query<{ count: number }[]>(
        'SELECT count(*) AS count FROM pg_prepared_statements',
      );
      expect((row?.count ?? 0) > 0).toBe(prepared);
    } finally {
      await own.destroy();
    }
  });

  describe('read', () => {
    it('returns only rows of its tenant, even for a query without a condition', async () => {
      await addTag(one, 'mine');
      await addTag(other, 'theirs');
      const read = (tenant: TestTenant) =>
        uow.read(context(tenant), (tx) => tx.query('SELECT name FROM tags'));
      expect(await read(one)).toEqual([{ name: 'mine' }]);
      expect(await read(other)).toEqual([{ name: 'theirs' }]);
    });

    it('finds no rows of a tenant that does not exist, after one that does', async () => {
      await addTag(one, 'mine');
      const tags = (tx: TenantTransaction) => tx.query('SELECT name FROM tags');
      expect(await uow.read(context(one), tags)).toHaveLength(1);
      expect(await uow.read(serviceContext(newId()), tags)).toEqual([]);
    });

    it('resets the tenant setting of the connection after the round trip', async () => {
      const [inside] = await uow.read(context(one), (tx) => tx.query(SETTING));
      expect(inside).toEqual({ setting: one.id });
      const { rows } = await pool.query<{ setting: string | null }>(SETTING);
      expect(rows[0]?.setting || null).toBeNull();
      expect((await pool.query('SELECT FROM tags')).rowCount).toBe(0);
    });

    it('resets the tenant setting after an error, and the connection remains usable', async () => {
      await addTag(one, 'mine');
      await expect(uow.read(context(one), (tx) => tx.query('SELECT 1 / 0 AS x'))).rejects.toThrow(
        'division by zero',
      );
      expect((await pool.query<{ setting: string | null }>(SETTING)).rows[0]?.setting || null).toBeNull();
      expect(await uow.read(context(one), (tx) => tx.query('SELECT name FROM tags'))).toEqual([
        { name: 'mine' },
      ]);
      expect(pool.totalCount).toBe(1);
    });

    it('parses a statement again after parsing failed', async () => {
      const read = () => uow.read(context(one), (tx) => tx.query('SELECT * FROM made_later'));
      await expect(read()).rejects.toThrow('made_later');
      await service.query('CREATE TABLE made_later AS SELECT 7 AS x');
      await service.query('GRANT SELECT ON made_later TO filing_service_role');
      expect(await read()).toEqual([{ x: 7 }]);
      await service.query('DROP TABLE made_later');
    });

    it('prepares a statement again when its columns have changed, or it was deallocated', async () => {
      await service.query('CREATE TABLE changed_later AS SELECT 7 AS x');
      await service.query('GRANT SELECT ON changed_later TO filing_service_role');
      const read = () => uow.read(context(one), (tx) => tx.query('SELECT x FROM changed_later'));
      expect(await read()).toEqual([{ x: 7 }]);
      await service.query('ALTER TABLE changed_later ALTER COLUMN x TYPE text');
      expect(await read()).toEqual([{ x: '7' }]);
      await pool.query('DEALLOCATE ALL');
      expect(await read()).toEqual([{ x: '7' }]);
      await uow.write(context(one), async (tx) => {
        expect(await tx.query('SELECT x FROM changed_later')).toEqual([{ x: '7' }]);
      });
      await service.query('DROP TABLE changed_later');
    });

    it('keeps at most 1000 prepared statements', async () => {
      const each = 100;
      for (let round = 0; round < 12; round += 1) {
        const statements = Array.from({ length: each }, (_, n) => ({
          text: `SELECT ${round * each + n} AS n`,
        }));
        const results = await uow.read(context(one), (tx) => tx.queryAll(statements));
        expect(results.at(-1)).toEqual([{ n: round * each + each - 1 }]);
      }
      const [prepared] = await uow.read(context(one), (tx) =>
        tx.query<{ count: number }>('SELECT count(*)::int AS count FROM pg_prepared_statements'),
      );
      expect(prepared?.count).toBeLessThanOrEqual(1000);
    });

    it('runs the statements of a round trip in order, and stops at the first error', async () => {
      const results = await uow.read(context(one), (tx) =>
        tx.queryAll([{ text: 'SELECT 1 AS a' }, { text: 'SELECT $1::text AS b', values: ['two'] }]),
      );
      expect(results).toEqual([[{ a: 1 }], [{ b: 'two' }]]);
      await expect(
        uow.read(context(one), (tx) =>
          tx.queryAll([{ text: INSERT, values: [one.id, newId(), 'rolled back'] }, { text: 'SELECT 1 / 0' }]),
        ),
      ).rejects.toThrow('division by zero');
      expect(await tagNames(one)).toEqual([]);
    });

    it('returns timestamps as ISO text in UTC, bigint values as numbers, null as null', async () => {
      const [row] = await uow.read(context(one), (tx) =>
        tx.query(
          `SELECT '2026-11-20 09:15:30.12+01'::timestamptz(3) AS t, '2026-11-20 08:15:30Z'::timestamptz(3) AS whole,
                  9007199254740991::bigint AS n, NULL::text AS nothing, ARRAY['a,"b', NULL] AS list`,
        ),
      );
      expect(row).toEqual({
        t: '2026-11-20T08:15:30.120Z',
        whole: '2026-11-20T08:15:30.000Z',
        n: 9007199254740991,
        nothing: null,
        list: ['a,"b', null],
      });
    });
  });

  describe('write', () => {
    it('commits the change with its audit entries and notifications', async () => {
      const user = await one.as('viewer');
      const id = newId();
      await uow.write(context(one, { actorId: null, actorName: 'Importer' }), async (tx) => {
        await tx.query(INSERT, [one.id, id, 'kept']);
        tx.record({ action: 'TagCreated', subjectId: id, summary: 'kept' });
        tx.notify(user.userId, 'ConfidentialAccessGranted', { documentId: id, actorName: tx.actorName });
      });
      expect(await tagNames(one)).toEqual(['kept']);
      expect(await one.audit()).toEqual([
        {
          actor_id: null,
          actor_name: 'Importer',
          action: 'TagCreated',
          subject_type: 'Tag',
          subject_id: id,
          summary: 'kept',
        },
      ]);
      expect(await one.notifications()).toEqual([
        {
          user_id: user.userId,
          type: 'ConfidentialAccessGranted',
          parameters: { documentId: id, actorName: 'Importer' },
        },
      ]);
    });

    it('writes nothing when the work fails, including audit entries', async () => {
      const before = await one.fingerprint();
      const failing = uow.write(context(one), async (tx) => {
        await tx.query(INSERT, [one.id, newId(), 'lost']);
        tx.record({ action: 'TagCreated', subjectId: newId(), summary: null });
        throw new Problem('tag.name-taken');
      });
      await expect(failing).rejects.toThrow(Problem);
      expect(await one.fingerprint()).toEqual(before);
    });

    it('writes nothing when the audit entry cannot be written', async () => {
      const before = await one.fingerprint();
      const failing = uow.write(context(one), async (tx) => {
        await tx.query(INSERT, [one.id, newId(), 'lost']);
        tx.record({ action: 'TagCreated', subjectId: 'no uuid', summary: null });
      });
      await expect(failing).rejects.toThrow('uuid');
      expect(await one.fingerprint()).toEqual(before);
    });

    it('fails when the work has ignored the error of a statement', async () => {
      const swallowing = uow.write(context(one), async (tx) => {
        await tx.query(INSERT, [one.id, newId(), 'lost']);
        await tx.query('SELECT 1 / 0').catch(() => undefined);
      });
      await expect(swallowing).rejects.toThrow('failed before its commit');
      expect(await tagNames(one)).toEqual([]);
    });

    it('cannot insert a row of another tenant', async () => {
      const foreign = uow.write(context(one), (tx) => tx.query(INSERT, [other.id, newId(), 'smuggled']));
      await expect(foreign).rejects.toThrow('row-level security');
      expect(await tagNames(other)).toEqual([]);
    });

    it('does not notify the caller', async () => {
      const user = await one.as('viewer');
      await uow.write(context(one, { actorId: user.userId }), async (tx) => {
        tx.notify(user.userId, 'RoleChanged', { roleId: newId(), roleName: 'x', actorName: 'y' });
      });
      expect(await one.notifications()).toEqual([]);
    });

    it('runs again after a deadlock', async () => {
      const [first, second] = [newId(), newId()];
      for (const id of [first, second]) await service.query(INSERT, [one.id, id, id]);
      const touch = `UPDATE tags SET name = name || '.' WHERE tenant_id = $1 AND id = $2`;
      const rival = await service.owner.connect();
      let attempts = 0;
      try {
        // The rival has a long deadlock_timeout, so that PostgreSQL aborts the transaction of the unit of work.
        await rival.query('BEGIN');
        await rival.query(`SET LOCAL deadlock_timeout = '10min'`);
        await rival.query(touch, [one.id, second]);
        const [holdsFirst, rivalWaits, rivalContinued] = [signal(), signal(), signal()];
        const write = uow.write(context(one), async (tx) => {
          attempts += 1;
          // Otherwise this could lock the first row again before the rival continues, and cause another deadlock.
          if (attempts > 1) await rivalContinued.promise;
          await tx.query(touch, [one.id, first]);
          holdsFirst.resolve();
          await rivalWaits.promise;
          await tx.query(touch, [one.id, second]);
        });
        await holdsFirst.promise;
        const touched = rival.query(touch, [one.id, first]);
        expect(await waitForBlockedStatements(service)).toBe(true);
        rivalWaits.resolve();
        await touched;
        rivalContinued.resolve();
        await rival.query('COMMIT');
        await write;
      } finally {
        await rival.query('ROLLBACK');
        rival.release();
      }
      expect(attempts).toBe(2);
      expect(await tagNames(one)).toEqual([`${first}..`, `${second}..`]);
    });
  });

  describe('writeAtOnce', () => {
    const TRUE = { text: '$3::boolean', values: [true] };
    const insertion = (tenantId: string, name: string) => ({
      text: `${INSERT} RETURNING name`,
      values: [tenantId, newId(), name],
    });
    const write = (more: Partial<TenantContext>, name: string, condition = TRUE) =>
      uow.writeAtOnce(
        context(one, more),
        (tx) => {
          tx.record({ action: 'TagCreated', subjectId: newId(), summary: name });
          return [insertion(one.id, name)];
        },
        condition,
      );

    it('commits the change with its audit entry, unless the database is distributed', async () => {
      const confirmed: string[] = [];
      const caller = {
        accessVersion: await one.accessVersion(),
        confirm: () => void confirmed.push('confirmed'),
        recorded: (actions: readonly string[]) => void confirmed.push(...actions),
      };
      const written = await write(caller, 'kept');
      if (uow.layout.isDistributed) return expect([written, await tagNames(one)]).toEqual([null, []]);
      expect(written).toEqual([{ name: 'kept' }]);
      expect(await tagNames(one)).toEqual(['kept']);
      expect(await one.audit()).toMatchObject([{ action: 'TagCreated', summary: 'kept' }]);
      expect(confirmed).toEqual(['confirmed', 'TagCreated']);
      expect((await pool.query<{ setting: string | null }>(SETTING)).rows[0]?.setting || null).toBeNull();
    });

    it.each<[string, Partial<TenantContext>, string, typeof TRUE]>([
      ['the condition does not hold', {}, 'lost', { ...TRUE, values: [false] }],
      ['rights have changed', { accessVersion: 0 }, 'lost', TRUE],
      ['a constraint is violated', {}, 'taken', TRUE],
    ])('writes nothing and returns null when %s', async (_, more, name, condition) => {
      await addTag(one, 'taken');
      const before = await one.fingerprint();
      let isConfirmed = false;
      const confirm = () => void (isConfirmed = true);
      expect(await write({ ...more, confirm }, name, condition)).toBeNull();
      expect([isConfirmed, await one.fingerprint()]).toEqual([false, before]);
    });

    it('writes nothing and throws any other error, for example for a row of another tenant', async () => {
      const before = await one.fingerprint();
      const statements = () => [insertion(one.id, 'lost'), insertion(other.id, 'smuggled')];
      const writing = uow.writeAtOnce(context(one), statements, TRUE).catch((error: Error) => error.message);
      const refused = uow.layout.isDistributed ? null : expect.stringContaining('row-level security');
      expect(await writing).toEqual(refused);
      expect([await one.fingerprint(), await tagNames(other)]).toEqual([before, []]);
    });
  });

  describe('with changed rights', () => {
    /** A caller whose rights change again each time they are reloaded. */
    const callerWithChangingRights = (inTransaction: (query: RunQuery) => Promise<void>) => ({
      ...context(one),
      accessVersion: 0,
      revalidate: (query?: RunQuery) => (query ? inTransaction(query) : one.increaseAccessVersion()),
    });
    const refuse = () => Promise.reject(new Problem('permission.missing'));

    it('discards the result, reloads the rights, and reads again', async () => {
      await addTag(one, 'mine');
      let revalidated = 0;
      const caller = {
        ...context(one),
        accessVersion: 0,
        revalidate: async () => {
          revalidated += 1;
          caller.accessVersion = 1;
        },
      };
      expect(await uow.read(caller, (tx) => tx.query('SELECT name FROM tags'))).toEqual([{ name: 'mine' }]);
      expect(revalidated).toBe(1);
    });

    it.each<[string, (tx: WriteTransaction) => Promise<unknown>]>([
      ['a statement', (tx) => tx.query(INSERT, [one.id, newId(), 'lost'])],
      ['a statement that fails', (tx) => tx.query('SELECT 1 / 0')],
      ['no statement', () => Promise.resolve()],
      ['an error without a statement', () => Promise.reject(new Problem('tag.name-taken'))],
    ])('writes nothing and throws the error when the permission is missing: %s', async (_, work) => {
      const before = await one.fingerprint();
      const caller = { ...context(one), accessVersion: 0, revalidate: refuse };
      await expect(uow.write(caller, work)).rejects.toMatchObject({ code: 'permission.missing' });
      expect(await one.fingerprint()).toEqual(before);
    });

    it('reads rights and data in one snapshot in the last attempt of a read', async () => {
      await addTag(one, 'before');
      let attempts = 0;
      let reloaded = 0;
      const caller = callerWithChangingRights(async (query) => {
        reloaded += 1;
        await query('SELECT FROM members WHERE tenant_id = $1', [one.id]);
        await addTag(one, 'after');
        await one.increaseAccessVersion();
      });
      const names = await uow.read(caller, async (tx) => {
        attempts += 1;
        return [await tx.query('SELECT name FROM tags'), await tx.query('SELECT name FROM tags')];
      });
      expect(names).toEqual([[{ name: 'before' }], [{ name: 'before' }]]);
      expect([attempts, reloaded]).toEqual([4, 1]);
    });

    it('closes the snapshot when the permission is missing there', async () => {
      const read = uow.read(callerWithChangingRights(refuse), (tx) => tx.query('SELECT 1'));
      await expect(read).rejects.toMatchObject({ code: 'permission.missing' });
      await uow.write(context(one), (tx) => tx.query(INSERT, [one.id, newId(), 'written']));
      expect(await tagNames(one)).toEqual(['written']);
    });

    it('returns 503 with Retry-After when the context cannot reload rights', async () => {
      const caller = { ...context(one), accessVersion: 0 };
      await expect(uow.read(caller, (tx) => tx.query('SELECT 1'))).rejects.toMatchObject({
        code: 'service.unavailable',
        options: { headers: { 'Retry-After': expect.stringMatching(/^[1-9]\d*$/) } },
      });
    });

    it('reads the rights inside the transaction in the last attempt of a write', async () => {
      let reloaded = 0;
      const caller = callerWithChangingRights(async (query) => {
        reloaded += 1;
        await query('SELECT FROM members WHERE tenant_id = $1', [one.id]);
      });
      await uow.write(caller, (tx) => tx.query(INSERT, [one.id, newId(), 'kept']));
      expect([reloaded, await tagNames(one)]).toEqual([1, ['kept']]);
    });

    it('writes nothing when the permission is missing there', async () => {
      const before = await one.fingerprint();
      const write = uow.write(callerWithChangingRights(refuse), (tx) =>
        tx.query(INSERT, [one.id, newId(), 'lost']),
      );
      await expect(write).rejects.toMatchObject({ code: 'permission.missing' });
      expect(await one.fingerprint()).toEqual(before);
    });

    it('reloads the rights after a deadlock, because they may include reverted changes', async () => {
      let revalidated = 0;
      const caller = { ...context(one), revalidate: async () => void (revalidated += 1) };
      const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });
      const tries = [deadlock, null];
      await uow.write(caller, async () => {
        const error = tries.shift();
        if (error) throw error;
      });
      expect(revalidated).toBe(1);
    });
  });

  it('releases the connection after every error', async () => {
    for (let round = 0; round < 5; round += 1) {
      await uow.write(context(one), () => Promise.reject(new Error('thrown'))).catch(() => undefined);
      await uow.read(context(one), () => Promise.reject(new Error('thrown'))).catch(() => undefined);
      await uow.read(context(one), (tx) => tx.query('SELECT 1 / 0')).catch(() => undefined);
    }
    expect(await uow.read(context(one), (tx) => tx.query('SELECT 1 AS x'))).toEqual([{ x: 1 }]);
    expect({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }).toEqual({
      total: 1,
      idle: 1,
      waiting: 0,
    });
  });
});
