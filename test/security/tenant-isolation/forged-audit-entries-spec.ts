import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { newId } from '../../../src/common/identifier.js';
import { connectAsService, setLocal } from '../../support/service-session.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

/** The message of the database; that of a shard of Citus, which has only one policy for all conditions. */
const refusalBy = (rule: string) =>
  new RegExp(`${rule}|^new row violates row-level security policy for table "audit_entries_\\d+"$`);

/** An attacker who can run SQL as the service role within a tenant. */
describe('A database session of the service role', () => {
  let session: pg.Client;
  let tenant: TestTenant;
  let actorId: string;
  beforeAll(async () => {
    session = await connectAsService(service);
  });
  beforeEach(async () => {
    tenant = await service.tenant();
    actorId = (await tenant.as('editor')).userId;
  });
  afterAll(() => session.end());

  /** Runs a statement in a transaction with the tenant and the given actor, as the unit of work sets them. */
  async function attack(actor: string, text: string, values: unknown[] = []): Promise<void> {
    await session.query('BEGIN');
    try {
      await setLocal(session, { tenant_id: tenant.id, actor_id: actor });
      await session.query(text, values);
      await session.query('COMMIT');
    } catch (error) {
      await session.query('ROLLBACK');
      throw error;
    }
  }

  const insert = (columns: string, ...more: string[]) =>
    `INSERT INTO audit_entries (tenant_id, id, action, subject_type, subject_id, ${columns})
     VALUES ($1, $2, 'DocumentCreated', 'Document', $2, ${more.join(', ')})`;

  it('cannot set the time of an audit entry', async () => {
    const backdated = insert('actor_id, occurred_at', '$3', `'2020-01-01'`);
    await expect(attack(actorId, backdated, [tenant.id, newId(), actorId])).rejects.toMatchObject({
      code: '42501',
      message: expect.stringMatching(refusalBy('permission denied for table audit_entries')),
    });
    expect(await tenant.audit()).not.toContainEqual(expect.objectContaining({ action: 'DocumentCreated' }));
  });

  it.each(['the actor of the transaction', 'no actor'])(
    'cannot record an audit entry for another user in a transaction with %s',
    async (which) => {
      const actor = which === 'no actor' ? '' : actorId;
      await expect(
        attack(actor, insert('actor_id', '$3'), [tenant.id, newId(), newId()]),
      ).rejects.toMatchObject({
        code: '42501',
        message: expect.stringMatching(refusalBy('"actor_of_transaction"')),
      });
      expect(await tenant.audit()).not.toContainEqual(expect.objectContaining({ action: 'DocumentCreated' }));
    },
  );

  it('cannot omit the actor of the transaction', async () => {
    await expect(attack(actorId, insert('actor_id', 'NULL'), [tenant.id, newId()])).rejects.toMatchObject({
      code: '42501',
      message: expect.stringMatching(refusalBy('"actor_of_transaction"')),
    });
  });

  it('records audit entries of the actor of the transaction, or of the service without an actor', async () => {
    await attack(actorId, insert('actor_id', '$3'), [tenant.id, newId(), actorId]);
    await attack('', insert('actor_id', 'NULL'), [tenant.id, newId()]);
    const actors = await service.query<{ actor_id: string | null }>(
      `SELECT actor_id FROM audit_entries
        WHERE tenant_id = $1 AND action = 'DocumentCreated' AND occurred_at > now() - interval '1 hour'
        ORDER BY actor_id`,
      [tenant.id],
    );
    expect(actors).toEqual([{ actor_id: actorId }, { actor_id: null }]);
  });

  it.each([
    'UPDATE notifications SET parameters = parameters',
    `UPDATE notifications SET created_at = '2020-01-01'`,
    'UPDATE notifications SET user_id = user_id',
  ])('cannot change a notification with %s', async (statement) => {
    await expect(attack(actorId, statement)).rejects.toMatchObject({ code: '42501' });
  });
});
