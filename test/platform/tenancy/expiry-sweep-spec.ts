import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ScheduledTasks } from '../../../src/platform/database/scheduled-tasks.js';
import { ExpirySweep } from '../../../src/platform/tenancy/tenants/expiry-sweep.js';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveFile } from '../../factories/files.js';
import { saveNotification } from '../../factories/notifications.js';
import { saveInvitation } from '../../factories/invitations.js';
import { type Actor } from '../../support/actor.js';
import { cancelLockWaits, waitForBlockedStatements } from '../../support/locks.js';
import { SecondInstance } from '../../support/service/second-instance.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('ExpirySweep', () => {
  let service: TestService;
  let tenant: TestTenant;
  let admin: Actor;
  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
  });

  const sweep = () => service.app.get(ExpirySweep).sweep();

  it('deletes stored answers after 24 hours, and keeps the others', async () => {
    const send = (key: string) => admin.post('/tags', { name: key }).set('Idempotency-Key', key).expect(201);
    await send('old');
    await send('new');
    await service.query(
      `UPDATE idempotency_keys SET created_at = now() - interval '24 hours 1 minute' WHERE tenant_id = $1 AND key = 'old'`,
      [tenant.id],
    );
    await sweep();
    const kept = await service.query('SELECT key FROM idempotency_keys WHERE tenant_id = $1', [tenant.id]);
    expect(kept).toEqual([{ key: 'new' }]);
  });

  it('deletes notifications after a year, read or unread, and keeps the others', async () => {
    const kept = await saveNotification(tenant, admin);
    const notifications = [
      await saveNotification(tenant, admin),
      await saveNotification(tenant, admin, { readAt: '2026-11-20T08:15:30.123Z' }),
    ];
    await service.query(
      `UPDATE notifications SET created_at = now() - interval '365 days 1 minute' WHERE id = ANY ($1)`,
      [notifications],
    );
    await service.query(
      `UPDATE notifications SET created_at = now() - interval '364 days 23 hours' WHERE id = $1`,
      [kept],
    );
    await sweep();
    const left = await service.query('SELECT id FROM notifications WHERE tenant_id = $1', [tenant.id]);
    expect(left).toEqual([{ id: kept }]);
  });

  describe('of access grants', () => {
    let guest: Actor;
    let file: { id: string };
    beforeEach(async () => {
      guest = await tenant.as('guest');
      file = await saveFile(tenant, guest);
    });

    const marked = async () => {
      const rows = await service.query<{ id: string; marked: boolean }>(
        `SELECT id, expired_at IS NOT NULL AS marked FROM access_grants WHERE tenant_id = $1`,
        [tenant.id],
      );
      return rows.filter((row) => row.marked).map(({ id }) => id);
    };

    it('marks only expired grants, which does not change answers', async () => {
      const expired = await saveAccessGrant(tenant, guest, { file: file.id }, { expiresAt: 'now()' });
      await saveAccessGrant(tenant, guest, { file: file.id }, { expiresAt: 'now()', revoked: true });
      await saveAccessGrant(tenant, guest, { file: file.id }, { expiresAt: `now() + interval '1 hour'` });
      await saveAccessGrant(tenant, guest, { file: file.id });
      const list = (await admin.get('/access-grants')).text;
      const { access_grants: before, ...others } = await tenant.fingerprint();

      await sweep();

      expect(await marked()).toEqual([expired]);
      expect((await admin.get('/access-grants')).text).toBe(list);
      const { access_grants: after, ...unchanged } = await tenant.fingerprint();
      expect(after).not.toBe(before);
      expect(unchanged).toEqual(others);
      expect((await guest.get(`/files/${file.id}`)).status).toBe(200);
    });

    it('marks them in every tenant', async () => {
      const other = await service.tenant();
      for (const where of [tenant, other]) {
        const theirs = await where.as('guest');
        await saveAccessGrant(where, theirs, { file: file.id }, { expiresAt: 'now()' });
      }
      await sweep();
      const left = await service.query(
        'SELECT FROM access_grants WHERE tenant_id = ANY ($1) AND expired_at IS NULL',
        [[tenant.id, other.id]],
      );
      expect(left).toEqual([]);
    });

    it('continues with other tenants after an error in one', async () => {
      const other = await service.tenant();
      const theirs = await other.as('guest');
      await saveAccessGrant(other, theirs, { file: file.id }, { expiresAt: 'now()' });
      const mine = await saveAccessGrant(tenant, guest, { file: file.id }, { expiresAt: 'now()' });
      const client = await service.owner.connect();
      try {
        await client.query('BEGIN');
        await client.query('SELECT FROM access_grants WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [
          tenant.id,
          mine,
        ]);
        const refused = expect(sweep()).rejects.toThrow(/^canceling statement/);
        expect(await waitForBlockedStatements(service)).toBe(true);
        await cancelLockWaits(service);
        await refused;
      } finally {
        await client.query('ROLLBACK');
        client.release();
      }
      expect(await marked()).toEqual([]);
      const left = await service.query(
        'SELECT FROM access_grants WHERE tenant_id = $1 AND expired_at IS NULL',
        [other.id],
      );
      expect(left).toEqual([]);
    });

    it('runs when an instance starts', async () => {
      const expired = await saveAccessGrant(tenant, guest, { file: file.id }, { expiresAt: 'now()' });
      const second = await SecondInstance.start(service, { configuration: { workerConcurrency: 2 } });
      await second.app.get(ScheduledTasks).waitForRunning();
      await second.stop();
      expect(await marked()).toEqual([expired]);
    });
  });

  describe('of invitations', () => {
    it('marks only expired invitations, and does not change the list of invitations', async () => {
      const ended = await saveInvitation(tenant, admin, { expiresAt: 'now()' });
      for (const status of ['Accepted', 'Declined', 'Revoked'] as const)
        await saveInvitation(tenant, admin, { status, expiresAt: 'now()' });
      await saveInvitation(tenant, admin);
      const list = (await admin.get('/invitations')).text;
      const { invitations: _, ...others } = await tenant.fingerprint();

      await sweep();

      const marked = await service.query<{ id: string }>(
        `SELECT id FROM invitations WHERE tenant_id = $1 AND status = 'Expired' AND pending_role_id IS NULL`,
        [tenant.id],
      );
      expect(marked.map(({ id }) => id)).toEqual([ended.id]);
      expect((await admin.get('/invitations')).text).toBe(list);
      const { invitations: __, ...unchanged } = await tenant.fingerprint();
      expect(unchanged).toEqual(others);
    });
  });
});
