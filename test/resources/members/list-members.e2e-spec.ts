import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { saveExpectedMember } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { pagedList, readAll } from '../../support/operations/paged-list.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

interface Member {
  userId: string;
  email: string | null;
  displayName: string | null;
  subject: string;
}

describe('ListMembers', () => {
  let tenant: TestTenant;
  let admin: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada');
  });

  const members = async (limit = 200) =>
    (await readAll(admin, '/members', limit)).map((item) => item as unknown as Member);
  const names = async (limit = 200) =>
    (await members(limit)).map(({ displayName, email, subject }) => displayName ?? email ?? subject);

  pagedList({
    actor: () => admin,
    other: () => tenant.as('auditor'),
    path: '/members',
    otherPath: '/roles',
    key: 'userId',
    neverEmpty: true,
    fill: async (where, count) => {
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1) {
        ids.push((await where.as('guest', `Member ${String(n).padStart(3, '0')}`)).userId);
      }
      return [admin.userId, ...ids];
    },
  });

  it('returns 200 with user and role to every caller with members.read', async () => {
    const reader = await tenant.with('members.read');
    const response = await reader.get('/members').expect(200);
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(response.body).toEqual({
      items: [
        {
          userId: admin.userId,
          email: admin.email,
          displayName: 'Ada',
          issuer: service.issuer.url,
          subject: admin.subject,
          role: {
            id: await tenant.roleId('administrator'),
            key: 'administrator',
            name: 'Administrator',
          },
          createdAt: timestamp,
        },
        expect.objectContaining({
          userId: reader.userId,
          displayName: reader.name,
          role: { id: expect.any(String), key: null, name: expect.stringMatching(/^Role /) },
        }),
      ],
      nextCursor: null,
    });
    expect(response.headers.etag).toBeUndefined();
  });

  it('returns 200 sorted by display name in the root collation, ignoring case', async () => {
    for (const name of ['zoe', 'Émile', 'Ernst', 'eva', 'Özlem', 'ada b', 'Ольга', 'Straße', 'STRASSE 2']) {
      await tenant.as('guest', name);
    }
    const sorted = ['Ada', 'ada b', 'Émile', 'Ernst', 'eva', 'Özlem', 'Straße', 'STRASSE 2', 'zoe', 'Ольга'];
    expect(await names()).toEqual(sorted);
    expect(await names(1)).toEqual(sorted);
  });

  it('returns 200 by id for equal names', async () => {
    const ids: string[] = [];
    for (const name of ['Eva', 'eva', 'EVA', 'Eva']) ids.push((await tenant.as('guest', name)).userId);
    const listed = (await members(1)).slice(1).map(({ userId }) => userId);
    expect(listed).toEqual(ids.sort());
  });

  it('returns 200 sorted by address or subject for members without a display name', async () => {
    const roleId = await tenant.roleId('guest');
    for (const subject of ['m-scanner', 'z-backup', 'B-import']) {
      expect((await admin.post('/members', { issuer: service.issuer.url, subject, roleId })).status).toBe(
        201,
      );
    }
    await tenant.as('guest', 'Nora');
    const subject = randomUUID();
    await admin.post('/members', { issuer: service.issuer.url, subject, roleId });
    const email = 'Karl@people.example';
    const token = await service.issuer.token({ sub: subject, email, email_verified: true });
    await admin.withToken(token).get('/me');
    expect(await names()).toEqual([
      'Ada',
      'B-import',
      'Karl@people.example',
      'm-scanner',
      'Nora',
      'z-backup',
    ]);
    const karl = (await members()).find((member) => member.email === email);
    expect(karl).toMatchObject({ displayName: null, subject });
  });

  it("returns 200 with the name in the user's newest token, even one used in another tenant", async () => {
    const member = await tenant.as('guest', 'Bert');
    const other = await service.tenant();
    await other.addMember(member, 'guest');
    await tenant.as('guest', 'Carla');
    const renamed = await service.issuer.token({ sub: member.subject, name: 'Dora' });
    expect((await member.inTenant(other).withToken(renamed).get('/me')).status).toBe(200);
    expect(await names(1)).toEqual(['Ada', 'Carla', 'Dora']);
    // A token without a name keeps the stored name.
    const nameless = await service.issuer.token({ sub: member.subject });
    expect((await member.withToken(nameless).get('/me')).status).toBe(200);
    expect(await names(1)).toEqual(['Ada', 'Carla', 'Dora']);
    const address = await service.issuer.token({ sub: member.subject, email: 'aa@people.example' });
    expect((await member.withToken(address).get('/me')).status).toBe(200);
    expect(await names(1)).toEqual(['Ada', 'Carla', 'Dora']);
  });

  it('returns 200 page by page for names of any length', async () => {
    const long = ['😀', 'ᾷ', '"', '\\', 'ﬃ', 'ß'].map((character) => character.repeat(200));
    for (const name of long) await tenant.as('guest', name);
    expect((await names(1)).sort()).toEqual(['Ada', ...long].sort());
  });

  it('returns 200 without expected members and users of other tenants', async () => {
    await saveExpectedMember(tenant, 'soon@people.example', await tenant.roleId('viewer'));
    const other = await service.tenant();
    await other.as('guest', 'Somebody else');
    await tenant.nonMember();
    expect(await names()).toEqual(['Ada']);
  });

  it('returns 200 without gaps or repetitions when members are added and removed between pages', async () => {
    const kept: string[] = [admin.userId];
    for (const letter of 'bdfhjl') kept.push((await tenant.as('guest', letter)).userId);
    const gone = await tenant.as('guest', 'g');
    const page = (await admin.get('/members?limit=4')).body as { items: Member[]; nextCursor: string };
    for (const letter of 'ack') await tenant.as('guest', letter);
    expect((await admin.delete(`/members/${gone.userId}`)).status).toBe(204);
    // The member that the cursor points to is removed, too.
    expect((await admin.delete(`/members/${page.items.at(-1)?.userId}`)).status).toBe(204);
    const rest = (await admin.get(`/members?limit=50&cursor=${page.nextCursor}`)).body as { items: Member[] };
    const seen = [...page.items, ...rest.items]
      .map(({ userId }) => userId)
      .filter((userId) => kept.includes(userId));
    expect(seen).toEqual(kept);
  });
});
