import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveExpectedMember, setMemberRole, saveRole } from '../../factories/roles.js';
import { type Actor, ActorOutsideTenants } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { type PageBody, readAll } from '../../support/operations/paged-list.js';
import { SecondInstance } from '../../support/service/second-instance.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

interface OwnTenant {
  id: string;
  slug: string;
  name: string;
  role: { id: string; key: string | null; name: string };
}

describe('ListOwnTenants', () => {
  let tenant: TestTenant;
  let alice: Actor;
  let outside: ActorOutsideTenants;
  beforeEach(async () => {
    tenant = await service.tenant();
    alice = await tenant.as('auditor', 'Alice');
    outside = new ActorOutsideTenants(alice);
  });

  const list = async (caller = outside): Promise<OwnTenant[]> => {
    const response = await caller.get('/tenants');
    expect(response.status).toBe(200);
    const { items, nextCursor } = response.body as { items: OwnTenant[]; nextCursor: null };
    expect(nextCursor).toBeNull();
    return items;
  };
  const ids = async (caller = outside) => (await list(caller)).map(({ id }) => id);
  const rename = (one: TestTenant, name: string) =>
    service.query('UPDATE tenants SET name = $2 WHERE id = $1', [one.id, name]);
  /** Adds the caller to new tenants with these names. */
  async function join(...names: string[]): Promise<TestTenant[]> {
    const joined: TestTenant[] = [];
    for (const name of names) {
      const one = await service.tenant();
      await rename(one, name);
      await one.addMember(alice, 'guest');
      joined.push(one);
    }
    return joined;
  }

  it('returns 200 with id, slug, name and role as in GetTenantMe', async () => {
    const response = await outside.get('/tenants');
    const item = {
      id: tenant.id,
      slug: tenant.slug,
      name: `Tenant ${tenant.slug}`,
      role: { id: await tenant.roleId('auditor'), key: 'auditor', name: 'Auditor' },
    };
    expect([response.status, response.body]).toEqual([200, { items: [item], nextCursor: null }]);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    const me = (await alice.get('/me')).body as { tenant: object; role: object };
    expect({ ...me.tenant, role: me.role }).toEqual(item);
  });

  it('returns 200 with a custom role, whose key is null', async () => {
    const { id, name } = await saveRole(tenant, [], 'Zuschauer');
    await setMemberRole(tenant, alice, id);
    expect((await list())[0]?.role).toEqual({ id, key: null, name });
  });

  it("returns 200 with the caller's tenants and the role in each, without those of others", async () => {
    const [second] = await join('Second');
    const foreign = await service.tenant();
    const bob = await foreign.as('administrator');
    await tenant.addMember(bob, 'viewer');
    expect((await list()).map(({ id, role }) => [id, role.key]).sort()).toEqual(
      [
        [tenant.id, 'auditor'],
        [second?.id, 'guest'],
      ].sort(),
    );
    expect((await list(new ActorOutsideTenants(bob))).map(({ id, role }) => [id, role.key]).sort()).toEqual(
      [
        [tenant.id, 'viewer'],
        [foreign.id, 'administrator'],
      ].sort(),
    );
  });

  it('returns 200 with an empty page for a user without a tenant', async () => {
    expect(await list(new ActorOutsideTenants(await tenant.nonMember()))).toEqual([]);
  });

  it('returns 200 with an empty page for an unknown user', async () => {
    const token = await service.issuer.token({ sub: randomUUID() });
    expect(await list(outside.withToken(token))).toEqual([]);
  });

  it('returns 200 without a tenant from which the caller was just removed', async () => {
    const [second] = await join('Second');
    const admin = await tenant.as('administrator');
    expect(await ids()).toHaveLength(2);
    expect((await admin.delete(`/members/${alice.userId}`)).status).toBe(204);
    expect(await ids()).toEqual([second?.id]);
  });

  it('returns 200 with a changed role immediately', async () => {
    const admin = await tenant.as('administrator');
    const body = { roleId: await tenant.roleId('viewer') };
    await list();
    expect((await admin.put(`/members/${alice.userId}`, body)).status).toBe(200);
    expect((await list())[0]?.role.key).toBe('viewer');
  });

  it('returns 200 with a tenant once, with its current slug, after ChangeTenantSlug', async () => {
    const admin = await tenant.as('administrator');
    const slug = `${tenant.slug}-new`;
    expect((await admin.put('/settings/slug', { slug })).status).toBe(200);
    expect((await list()).map((one) => [one.id, one.slug])).toEqual([[tenant.id, slug]]);
  });

  it("returns 200 with a tenant that expects the caller's verified address, and writes nothing", async () => {
    const expecting = await service.tenant();
    const roleId = await expecting.roleId('administrator');
    await saveExpectedMember(expecting, alice.email.toUpperCase(), roleId);
    const before = [await tenant.fingerprint(), await expecting.fingerprint()];
    const found = (await list()).find(({ id }) => id === expecting.id);
    expect(found?.role).toEqual({ id: roleId, key: 'administrator', name: 'Administrator' });
    expect([await tenant.fingerprint(), await expecting.fingerprint()]).toEqual(before);

    const claims = { sub: alice.subject, email: alice.email };
    for (const rest of [
      {},
      { email_verified: false },
      { email: 'other@people.example', email_verified: true },
    ])
      expect(await ids(outside.withToken(await service.issuer.token({ ...claims, ...rest })))).toEqual([
        tenant.id,
      ]);
    // The first call of the tenant makes the user a member; the list then still has the tenant once.
    expect((await alice.inTenant(expecting).get('/me')).status).toBe(200);
    expect((await ids()).filter((id) => id === expecting.id)).toHaveLength(1);
  });

  it('returns 200 with the role of the membership, not the expected one', async () => {
    await saveExpectedMember(tenant, alice.email, await tenant.roleId('administrator'));
    expect((await list()).map(({ role }) => role.key)).toEqual(['auditor']);
  });

  it('returns 200 by name in the root collation, page by page', async () => {
    await rename(tenant, 'ä');
    const names = ['_x', '1', '10', '2', 'a', 'ä', 'b', 'É', 'z', 'ж'];
    await join(...names.filter((name) => name !== 'ä').toReversed());
    expect((await list()).map(({ name }) => name)).toEqual(names);
    for (const limit of [1, 3, 10]) {
      const all = (await readAll(outside, '/tenants', limit)) as unknown as OwnTenant[];
      expect(all.map(({ name }) => name)).toEqual(names);
    }
  });

  it('returns 200 with each of several tenants with the same name once', async () => {
    const joined = await join('Same', 'Same', 'Same', 'x'.repeat(200), '😀'.repeat(200));
    const all = (await readAll(outside, '/tenants', 1)).map(({ id }) => id);
    expect(all.toSorted()).toEqual([tenant, ...joined].map(({ id }) => id).sort());
  });

  it('returns 200 without gaps or repetitions when tenants are added and left between pages', async () => {
    await rename(tenant, 'm');
    const [b, d, f] = await join('b', 'd', 'f');
    const first = (await outside.get('/tenants?limit=2')).body as PageBody;
    expect(first.items.map(({ id }) => id)).toEqual([b?.id, d?.id]);
    await join('a', 'c');
    await service.query('DELETE FROM members WHERE tenant_id = $1 AND user_id = $2', [d?.id, alice.userId]);
    const rest = (await outside.get(`/tenants?cursor=${first.nextCursor}`)).body as PageBody;
    expect(rest.items.map(({ id }) => id)).toEqual([f?.id, tenant.id]);
  });

  it('returns 200 with 50 items by default and a Link to the next page', async () => {
    await join(...Array.from({ length: 50 }, (_, n) => `Tenant ${n}`));
    const response = await outside.get('/tenants');
    const { items, nextCursor } = response.body as PageBody;
    expect(items).toHaveLength(50);
    expect(response.headers.link).toBe(
      `<${service.configuration.publicUrl}/api/v1/tenants?cursor=${nextCursor}>; rel="next"`,
    );
  });

  it.each(['limit=0', 'limit=201', 'limit=x', 'limit=', 'limit=1&limit=2'])(
    'returns 400 for %s',
    async (query) => expectProblem(await outside.get(`/tenants?${query}`), 'request.invalid', ['limit']),
  );

  it('returns 400 for an invalid cursor, or one of another user or list', async () => {
    await join('Second');
    await tenant.as('viewer');
    const bob = new ActorOutsideTenants(await tenant.as('auditor'));
    const { nextCursor } = (await outside.get('/tenants?limit=1')).body as PageBody;
    const ofMembers = ((await alice.get('/members?limit=1')).body as PageBody).nextCursor;
    expect(ofMembers).not.toBeNull();
    for (const cursor of ['', 'x', `${nextCursor}A`, ofMembers])
      expectProblem(await outside.get(`/tenants?cursor=${cursor}`), 'request.invalid', ['cursor']);
    expectProblem(await bob.get(`/tenants?cursor=${nextCursor}`), 'request.invalid', ['cursor']);
    expectProblem(await alice.get(`/members?cursor=${nextCursor}`), 'request.invalid', ['cursor']);
    expect((await outside.get(`/tenants?cursor=${nextCursor}`)).status).toBe(200);
  });

  it('returns 401 without a token, and for an unsigned token', async () => {
    const response = await outside.withToken(null).get('/tenants');
    expectProblem(response, 'authentication.required');
    expect(response.headers['www-authenticate']).toMatch(/^Bearer/);
    const unsigned = service.issuer.unsignedToken({ sub: alice.subject });
    expectProblem(await outside.withToken(unsigned).get('/tenants'), 'authentication.required');
  });

  it('returns 406 when Accept excludes JSON', async () => {
    expectProblem(await outside.get('/tenants').set('Accept', 'text/html'), 'request.not-acceptable');
  });

  it('returns 429 with Retry-After when the caller has used up the limit', async () => {
    const strict = await SecondInstance.start(service, {
      configuration: { rateLimitPerMinute: 1, rateLimitBurst: 1 },
    });
    try {
      const caller = new ActorOutsideTenants(strict.actor(alice));
      expect((await caller.get('/tenants')).status).toBe(200);
      const response = await caller.get('/tenants');
      expectProblem(response, 'request.rate-limited');
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
      // Other callers have their own limit, and so has the same caller in a tenant.
      expect(
        (await new ActorOutsideTenants(strict.actor(await tenant.nonMember())).get('/tenants')).status,
      ).toBe(200);
      expect((await strict.actor(alice).get('/me')).status).toBe(200);
    } finally {
      await strict.stop();
    }
  });
});
