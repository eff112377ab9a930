import { beforeEach, describe, expect, it } from '@jest/globals';
import { NOTIFICATION_TYPES } from '../../../src/common/messages/notifications.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { conditionalWrites } from '../../support/operations/conditional-writes.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

const PATH = '/notification-preferences';
const BODY = { language: 'de', mail: { FileClosed: 'immediate', DocumentFiled: 'daily' } };

describe('UpdateNotificationPreferences', () => {
  let tenant: TestTenant;
  let member: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    member = await tenant.with();
  });

  const put = (body: object = BODY, actor = member) => actor.put(PATH, body);
  const stored = () => tenant.query('SELECT * FROM notification_preferences WHERE tenant_id = $1');
  const allOff = Object.fromEntries(NOTIFICATION_TYPES.map((type) => [type, 'off']));

  conditionalWrites({
    actor: () => member,
    path: () => PATH,
    send: (actor, path) => actor.put(path, BODY),
    success: 200,
  });

  it('returns 412 for the entity tag of replaced preferences', async () => {
    const { headers } = await put();
    await put({ ...BODY, language: 'en' }).expect(200);
    await expectRefused(
      tenant,
      () => put({ ...BODY, mail: {} }).set('If-Match', headers.etag ?? ''),
      'request.precondition-failed',
    );
  });

  it('returns 200 with every type, and writes no audit entry and no notification', async () => {
    const response = await put().expect(200);
    expect(response.body).toEqual({ language: 'de', mail: { ...allOff, ...BODY.mail } });
    expect((await member.get(PATH)).body).toEqual(response.body);
    expect((await member.get(PATH)).headers.etag).toBe(response.headers.etag);
    expect([await tenant.audit(), await tenant.notifications()]).toEqual([[], []]);
  });

  it('returns 200 and turns absent types off', async () => {
    await put();
    await put({ language: 'de', mail: { RoleChanged: 'daily', FileClosed: 'off' } }).expect(200);
    expect((await member.get(PATH)).body).toEqual({
      language: 'de',
      mail: { ...allOff, RoleChanged: 'daily' },
    });
  });

  it('returns 200 and writes nothing when nothing changes', async () => {
    await tenant.expectNoChange(() => put({ language: 'en', mail: { FileClosed: 'off' } }).expect(200));
    await put();
    const changed = await tenant.fingerprint();
    await put().expect(200);
    expect(await tenant.fingerprint()).toEqual(changed);
  });

  it('returns 200 for every type and mode, and for concurrent first requests', async () => {
    const answers = await Promise.all([
      put(),
      put(),
      put({ language: 'en', mail: { RoleChanged: 'daily' } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await stored()).toHaveLength(1);
    for (const mode of ['immediate', 'daily', 'off']) {
      const mail = Object.fromEntries(NOTIFICATION_TYPES.map((type) => [type, mode]));
      expect((await put({ language: 'en', mail })).body).toEqual({ language: 'en', mail });
    }
  });

  it.each([
    [{ language: 'fr', mail: {} }, ['language']],
    [{ mail: {} }, ['language']],
    [{ language: 'de' }, ['mail']],
    [{ language: 'de', mail: null }, ['mail']],
    [{ language: 'de', mail: [] }, ['mail']],
    [{ language: 'de', mail: 'daily' }, ['mail']],
    [{ language: null, mail: { FileClosed: 'weekly' } }, ['language', 'mail.FileClosed']],
    [{ language: 'de', mail: { FileClosed: null, Nothing: 'off' } }, ['mail.FileClosed', 'mail.Nothing']],
    [{ language: 'de', mail: { 'a b': 'off', constructor: 'off' } }, ['mail["a b"]', 'mail.constructor']],
    [{ language: 'de', mail: { FileClosed: { mode: 'off' } } }, ['mail.FileClosed']],
    [
      { language: 'de', mail: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`T${n}`, 'off'])) },
      ['mail'],
    ],
  ])('returns 400 for %j', async (body, paths) => {
    await expectRefused(tenant, () => put(body), 'request.invalid', paths);
  });

  it('returns 403 to a former member; the preferences are not restored with the membership', async () => {
    const admin = await tenant.as('administrator');
    await put().expect(200);
    await admin.delete(`/members/${member.userId}`).expect(204);
    expectProblem(await put(), 'tenant.no-access');
    expect(await stored()).toEqual([]);
    const again = await tenant.addMember(member, 'viewer');
    await tenant.increaseAccessVersion();
    expect((await again.get(PATH)).body).toEqual({ language: 'en', mail: allOff });
  });
});
