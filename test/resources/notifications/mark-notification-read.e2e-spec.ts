import { beforeEach, describe, expect, it } from '@jest/globals';
import { type NotificationResponse } from '../../../src/resources/notifications/notifications.dto.js';
import { saveFile } from '../../factories/files.js';
import { saveNotification } from '../../factories/notifications.js';
import { setMemberRole } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('MarkNotificationRead', () => {
  let tenant: TestTenant;
  let reader: Actor;
  let id: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    reader = await tenant.as('editor');
    id = await saveNotification(tenant, reader);
  });

  const send = (actor = reader, notification = id) => actor.post(`/notifications/${notification}/read`);
  const list = async (query = '') =>
    ((await reader.get(`/notifications${query}`)).body as { items: NotificationResponse[] }).items;

  it('returns 204, marks the notification as read and writes no audit entry', async () => {
    const other = await saveNotification(tenant, reader);

    const response = await send(reader, id.toUpperCase());

    expect([response.status, response.text]).toEqual([204, '']);
    expect(await list()).toEqual([
      expect.objectContaining({ id: other, readAt: null }),
      expect.objectContaining({
        id,
        readAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      }),
    ]);
    expect(await list('?unreadOnly=true')).toMatchObject([{ id: other }]);
    expect(await tenant.audit()).toEqual([]);
  });

  it('returns 204 and writes nothing when repeated', async () => {
    await send();
    expect((await tenant.expectNoChange(send)).status).toBe(204);
  });

  it('returns 204 to a caller without any permission', async () => {
    const member = await tenant.with();
    expect((await send(member, await saveNotification(tenant, member))).status).toBe(204);
  });

  it('returns 404 for a notification of another user, as for an unknown one', async () => {
    const admin = await tenant.as('administrator');
    const before = await tenant.fingerprint();
    const [others, unknown] = [await send(admin), await send(admin, reader.userId)];
    expectProblem(others, 'resource.not-found');
    expect({ ...(others.body as object), instance: '' }).toEqual({
      ...(unknown.body as object),
      instance: '',
    });
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('returns 404 for a hidden notification, 204 once it is visible again', async () => {
    const admin = await tenant.as('administrator');
    const file = await saveFile(tenant, reader);
    await admin.post(`/files/${file.id}/close`).expect(200);
    const [closed] = await list();
    await setMemberRole(tenant, reader, await tenant.roleId('guest'));
    await expectRefused(tenant, () => send(reader, closed?.id), 'resource.not-found');
    await setMemberRole(tenant, reader, await tenant.roleId('viewer'));
    expect((await send(reader, closed?.id)).status).toBe(204);
  });
});
