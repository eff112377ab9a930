import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Test } from 'supertest';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { TestService } from '../../support/service/service.js';
import { TestTenant } from '../../support/tenant.js';

describe('ChangeTenantSlug', () => {
  let service: TestService;
  let tenant: TestTenant;
  let admin: Actor;

  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada Lovelace');
  });

  const randomSlug = () => `s-${randomBytes(6).toString('hex')}`;
  const change = (actor: Actor, slug: unknown) => actor.put('/settings/slug', { slug });

  /** The tenant under another slug or on another instance, for `admin.inTenant(…)`. */
  const tenantAt = (slug: string, at = service) => new TestTenant(at, tenant.id, slug);

  async function expectChanged(slug = randomSlug()): Promise<string> {
    const response = await change(admin.inTenant(tenantAt(await currentSlug())), slug);
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 200,
      body: { slug },
    });
    return slug;
  }

  async function currentSlug(of = tenant): Promise<string> {
    const [row] = await service.query<{ slug: string }>(
      'SELECT slug FROM tenant_slugs WHERE tenant_id = $1 AND expires_at IS NULL',
      [of.id],
    );
    return row?.slug ?? '';
  }

  /** Former slugs, latest first. */
  async function formerSlugs(): Promise<string[]> {
    const rows = await tenant.query<{ slug: string }>(
      'SELECT slug FROM tenant_slugs WHERE tenant_id = $1 AND expires_at IS NOT NULL ORDER BY expires_at DESC',
    );
    return rows.map(({ slug }) => slug);
  }

  async function expire(slug: string): Promise<void> {
    await service.query(`UPDATE tenant_slugs SET expires_at = now() - interval '1 second' WHERE slug = $1`, [
      slug,
    ]);
  }

  const withoutChange = async (request: Test) => {
    const version = await tenant.accessVersion();
    const response = await tenant.expectNoChange(() => request);
    expect(await tenant.accessVersion()).toBe(version);
    return response;
  };
  const expectUnavailable = async (request: Test) =>
    expectProblem(await withoutChange(request), 'tenant.slug-unavailable');

  describe('with a valid slug', () => {
    it('returns 200 with the new slug, writes an audit entry and sends no notification', async () => {
      const [former, slug] = [tenant.slug, randomSlug()];

      const response = await change(admin, slug);

      expect(response.status).toBe(200);
      expect(response.body).toEqual({ slug });
      expect(await currentSlug()).toBe(slug);
      expect(await tenant.audit()).toEqual([
        admin.entry('TenantSlugChanged', 'Tenant', tenant.id, `${former} → ${slug}`),
      ]);
      expect(await tenant.notifications()).toEqual([]);
    });

    it('returns 200 and writes nothing for the current slug', async () => {
      const response = await tenant.expectNoChange(() => change(admin, tenant.slug));
      expect(response.status).toBe(200);
      expect(response.body).toEqual({ slug: tenant.slug });
    });

    it.each(['abc', 'a-b', '0-9', 'a'.repeat(63), '1234', 'a--b', '0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3'])(
      'returns 200 with the slug %s and ignores other members',
      async (slug) => {
        const response = await admin.put('/settings/slug', { slug, name: 'Ignored', tenantId: randomUUID() });
        expect(response.status).toBe(200);
        expect(response.body).toEqual({ slug });
      },
    );

    it('returns 200 to several concurrent requests', async () => {
      // At most four: they all call by the first slug, which expires with the fourth change.
      const slugs = Array.from({ length: 4 }, randomSlug);
      const former = tenant.slug;
      const responses = await Promise.all(slugs.map((slug) => change(admin, slug)));
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      // Each audit entry starts with the slug that another one ended with.
      const steps = (await tenant.audit()).map(({ summary }) => summary?.split(' → ') ?? []);
      const chain = new Map(steps.map(([from = '', to = '']) => [from, to]));
      let at = former;
      for (let i = 0; i < 4; i += 1) at = chain.get(at) ?? '';
      expect(at).toBe(await currentSlug());
      expect(await formerSlugs()).toHaveLength(3);
    });
  });

  describe('the former slug', () => {
    it('still leads to the tenant for 90 days, together with the new one', async () => {
      const former = tenant.slug;
      const slug = await expectChanged();
      for (const each of [former, slug]) {
        const me = await admin.inTenant(tenantAt(each)).get('/me');
        expect(me.status).toBe(200);
        expect(me.body).toMatchObject({ tenant: { id: tenant.id, slug } });
      }
      const [row] = await service.query<{ left: string }>(
        `SELECT (expires_at - now())::text AS left FROM tenant_slugs WHERE slug = $1`,
        [former],
      );
      expect(row?.left).toMatch(/^89 days 23:59:/);
    });

    it('still leads to the tenant on another instance that has cached the caller', async () => {
      const other = await TestService.start({}, service);
      try {
        const former = tenant.slug;
        const there = (slug: string) => admin.inTenant(tenantAt(slug, other));
        expect((await there(former).get('/me')).body).toMatchObject({ tenant: { slug: former } });

        const slug = await expectChanged();

        expect((await there(former).get('/me')).body).toMatchObject({ tenant: { id: tenant.id, slug } });
        expect((await there(slug).get('/me')).body).toMatchObject({ tenant: { id: tenant.id, slug } });
        await expire(former);
        expectProblem(await there(former).get('/files'), 'tenant.no-access');
        expect((await there(slug).get('/files')).status).toBe(200);
      } finally {
        await other.stop();
      }
    });

    it('returns 403 once the former slug has expired, even right after a request with it', async () => {
      const former = tenant.slug;
      await expectChanged();
      expect((await admin.get('/files')).status).toBe(200);
      await expire(former);
      expectProblem(await admin.get('/files'), 'tenant.no-access');
    });

    it('expires with the fourth change and can then be used by another tenant', async () => {
      const slugs = [tenant.slug];
      for (let i = 0; i < 3; i += 1) slugs.push(await expectChanged());
      expect((await admin.inTenant(tenantAt(slugs[0] ?? '')).get('/files')).status).toBe(200);
      slugs.push(await expectChanged());

      expect(await formerSlugs()).toEqual(slugs.slice(1, 4).reverse());
      expectProblem(await admin.inTenant(tenantAt(slugs[0] ?? '')).get('/files'), 'tenant.no-access');
      expect((await admin.inTenant(tenantAt(slugs[1] ?? '')).get('/files')).status).toBe(200);
      const other = await service.tenant();
      expect((await change(await other.as('administrator'), slugs[0])).status).toBe(200);
    });

    it('can be taken back by its tenant and is then the current slug', async () => {
      const first = tenant.slug;
      const second = await expectChanged();
      await expectChanged(first);
      expect([await currentSlug(), await formerSlugs()]).toEqual([first, [second]]);
      expect((await tenant.audit()).map(({ summary }) => summary)).toEqual([
        `${first} → ${second}`,
        `${second} → ${first}`,
      ]);
    });

    it('can be taken back after it has expired, unless another tenant has it', async () => {
      const first = tenant.slug;
      const second = await expectChanged();
      await expire(first);
      await expectChanged(first);
      expect([await currentSlug(), await formerSlugs()]).toEqual([first, [second]]);
    });

    it('returns 409 to another tenant until the former slug expires, 200 afterwards', async () => {
      const former = tenant.slug;
      await expectChanged();
      const other = await service.tenant();
      const rival = await other.as('administrator');
      await expectUnavailable(change(rival, former));

      await expire(former);
      expect((await change(rival, former)).status).toBe(200);
      expect((await rival.inTenant(tenantAt(former)).get('/me')).body).toMatchObject({
        tenant: { id: other.id },
      });
      expectProblem(await admin.inTenant(tenantAt(former)).get('/files'), 'tenant.no-access');
      await expectUnavailable(change(admin.inTenant(tenantAt(await currentSlug())), former));
    });
  });

  describe('with an invalid slug', () => {
    it.each([
      ['too short', 'ab'],
      ['too long', 'a'.repeat(64)],
      ['empty', ''],
      ['a hyphen and letters', '-abc'],
      ['letters and a hyphen', 'abc-'],
      ['partly in uppercase', 'Acme'],
      ['preceded by a space', ' acme'],
      ['followed by a line feed', 'acme\n'],
      ['a text with a dot', 'ac.me'],
      ['a text with a non-ASCII letter', 'müller'],
      ['a text with half a surrogate pair', 'ac\ud800me'],
      ['a UUID', randomUUID()],
      ['reserved (api)', 'api'],
      ['reserved (settings)', 'settings'],
      ['a number', 1234],
      ['true', true],
      ['null', null],
      ['a list', ['acme']],
      ['an object', { slug: 'acme' }],
    ])('returns 409 for a slug that is %s', (_, slug) => expectUnavailable(change(admin, slug)));

    it.each([
      ...['{}', '[]', '["acme"]', '"acme"', 'null', '7', '{"Slug":"acme"}'],
      '{"__proto__":{"slug":"acme"}}',
    ])('returns 409 for the body %s', (body) =>
      expectUnavailable(
        admin.send('put', '/settings/slug').set('Content-Type', 'application/json').send(body),
      ),
    );

    it('returns 409 for the slug of another tenant', async () => {
      const other = await service.tenant();
      await expectUnavailable(change(admin, other.slug));
      expect(await currentSlug(other)).toBe(other.slug);
    });

    it('returns 200 to exactly one of ten concurrent requests for the same slug, 409 to the others', async () => {
      const slug = randomSlug();
      const rivals = await Promise.all(
        Array.from({ length: 10 }, async () => (await service.tenant()).as('administrator')),
      );
      const responses = await Promise.all(rivals.map((rival) => change(rival, slug)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
      const winner = rivals[responses.findIndex(({ status }) => status === 200)];
      const owners = await service.query('SELECT tenant_id FROM tenant_slugs WHERE slug = $1', [slug]);
      expect(owners).toEqual([{ tenant_id: winner?.tenant.id }]);
      for (const rival of rivals) {
        const own = await currentSlug(rival.tenant);
        expect(own).toBe(rival === winner ? slug : rival.tenant.slug);
        expect(await rival.tenant.audit()).toHaveLength(rival === winner ? 1 : 0);
      }
    });

    it("returns 409 to both of two tenants that request each other's slug", async () => {
      const other = await service.tenant();
      const rival = await other.as('administrator');
      const responses = await Promise.all([change(admin, other.slug), change(rival, tenant.slug)]);
      expect(responses.map(({ status }) => status)).toEqual([409, 409]);
      expect([await currentSlug(), await currentSlug(other)]).toEqual([tenant.slug, other.slug]);
    });
  });

  describe('with the limit of ten attempts per tenant and hour', () => {
    it('returns 429 with Retry-After to the eleventh attempt, whatever the earlier ones returned', async () => {
      const colleague = await tenant.with('settings.manage');
      for (let i = 0; i < 4; i += 1) expect((await change(admin, tenant.slug)).status).toBe(200);
      for (let i = 0; i < 3; i += 1) expect((await change(colleague, 'ab')).status).toBe(409);
      for (let i = 0; i < 3; i += 1) await expectChanged();

      for (const actor of [colleague, admin]) {
        const response = await withoutChange(change(actor, randomSlug()));
        expectProblem(response, 'request.rate-limited');
        const wait = Number(response.headers['retry-after']);
        expect(wait).toBeGreaterThan(3000);
        expect(wait).toBeLessThanOrEqual(3600);
      }
      // Other operations and other tenants are not limited.
      expect((await admin.get('/me')).status).toBe(200);
      const other = await service.tenant();
      expect((await change(await other.as('administrator'), randomSlug())).status).toBe(200);
    });

    it('returns 403 to callers without the permission and does not count their attempts', async () => {
      const editor = await tenant.as('editor');
      const former = await tenant.with('settings.manage');
      expect((await former.get('/me')).status).toBe(200);
      await tenant.query(
        `UPDATE roles SET permissions = '{}' WHERE tenant_id = $1 AND id =
           (SELECT role_id FROM members WHERE tenant_id = $1 AND user_id = $2)`,
        former.userId,
      );
      await tenant.increaseAccessVersion();
      for (const actor of [...Array<Actor>(11).fill(former), ...Array<Actor>(11).fill(editor)]) {
        expectProblem(await change(actor, randomSlug()), 'permission.missing');
      }
      await expectChanged();
    });

    it('returns 400 for invalid JSON and does not count the attempt', async () => {
      for (let i = 0; i < 11; i += 1) {
        const broken = admin
          .send('put', '/settings/slug')
          .set('Content-Type', 'application/json')
          .send('{"slug');
        expectProblem(await broken, 'request.malformed-body', ['$']);
      }
      await expectChanged();
    });
  });
});
