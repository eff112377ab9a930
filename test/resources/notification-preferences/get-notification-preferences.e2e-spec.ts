import { beforeEach, describe, expect, it } from '@jest/globals';
import { NOTIFICATION_TYPES } from '../../../src/common/messages/notifications.js';
import { type Actor } from '../../support/actor.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('GetNotificationPreferences', () => {
  let tenant: TestTenant;
  let member: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    member = await tenant.with();
  });

  const get = (actor = member) => actor.get('/notification-preferences');
  const allOff = Object.fromEntries(NOTIFICATION_TYPES.map((type) => [type, 'off']));

  it('returns 200 with all types off to a member who has never changed them, and writes nothing', async () => {
    const response = await tenant.expectNoChange(get);
    expect([response.status, response.body]).toEqual([200, { language: 'en', mail: allOff }]);
  });

  it('returns 200 with the preferences of the caller in this tenant only', async () => {
    const elsewhere = await service.tenant();
    const there = await elsewhere.addMember(member, 'viewer');
    const other = await tenant.as('viewer');
    await member
      .put('/notification-preferences', { language: 'de', mail: { FileClosed: 'daily' } })
      .expect(200);
    expect((await get()).body).toEqual({ language: 'de', mail: { ...allOff, FileClosed: 'daily' } });
    for (const actor of [there, other]) expect((await get(actor)).body).toMatchObject({ mail: allOff });
  });

  it('returns 200 without a stored type that this release does not have', async () => {
    await member.put('/notification-preferences', { language: 'de', mail: {} }).expect(200);
    await service.query(
      `UPDATE notification_preferences SET mail = '{"Former": "daily"}' WHERE user_id = $1`,
      [member.userId],
    );
    expect((await get()).body).toEqual({ language: 'de', mail: allOff });
  });

  it('returns 304 for the current entity tag', async () => {
    const { headers } = await get();
    expect((await get().set('If-None-Match', headers.etag ?? '')).status).toBe(304);
    await member.put('/notification-preferences', { language: 'de', mail: {} }).expect(200);
    expect((await get().set('If-None-Match', headers.etag ?? '')).status).toBe(200);
  });
});
