import { beforeEach, describe, expect, it } from '@jest/globals';
import { type NotificationResponse } from '../../../src/resources/notifications/notifications.dto.js';
import { saveFile } from '../../factories/files.js';
import { saveNotification } from '../../factories/notifications.js';
import { setMemberRole } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('MarkAllNotificationsRead', () => {
  let tenant: TestTenant;
  let reader: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    reader = await tenant.as('editor');
  });

  const send = (actor = reader) => actor.post('/notifications/read-all');
  const unread = async (actor = reader) => {
    const response = await actor.get('/notifications?unreadOnly=true');
    return (response.body as { items: NotificationResponse[] }).items.map(({ id }) => id);
  };

  it('returns 204 and marks all notifications of the caller in this tenant as read', async () => {
    const admin = await tenant.as('administrator');
    const elsewhere = await service.tenant();
    const there = await elsewhere.addMember(reader, 'editor');
    const [others, abroad] = [
      await saveNotification(tenant, admin),
      await saveNotification(elsewhere, there),
    ];
    const readAt = '2026-01-01T12:00:00.000Z';
    const old = await saveNotification(tenant, reader, { createdAt: readAt, readAt });
    for (let n = 0; n < 51; n += 1) await saveNotification(tenant, reader);

    const response = await send();

    expect([response.status, response.text]).toEqual([204, '']);
    expect(await unread()).toEqual([]);
    expect(await unread(admin)).toEqual([others]);
    expect(await unread(there)).toEqual([abroad]);
    const { items } = (await reader.get('/notifications?limit=200')).body as {
      items: NotificationResponse[];
    };
    expect(items.at(-1)).toMatchObject({ id: old, readAt });
    expect(await tenant.audit()).toEqual([]);
  });

  it('returns 204 and writes nothing when none is unread', async () => {
    for (let n = 0; n < 2; n += 1) {
      expect((await tenant.expectNoChange(send)).status).toBe(204);
      await saveNotification(tenant, reader, { readAt: '2026-01-01T12:00:00Z' });
    }
  });

  it('returns 204 to a caller without any permission', async () => {
    const member = await tenant.with();
    await saveNotification(tenant, member);
    expect((await send(member)).status).toBe(204);
    expect(await unread(member)).toEqual([]);
  });

  it('returns 204 and leaves hidden notifications unread', async () => {
    const admin = await tenant.as('administrator');
    const file = await saveFile(tenant, reader);
    await admin.post(`/files/${file.id}/close`).expect(200);
    await saveNotification(tenant, reader);
    const [, closed] = await unread();
    await setMemberRole(tenant, reader, await tenant.roleId('guest'));
    expect((await send()).status).toBe(204);
    expect(await unread()).toEqual([]);
    await setMemberRole(tenant, reader, await tenant.roleId('viewer'));
    expect(await unread()).toEqual([closed]);
  });
});
