import { describe, expect } from '@jest/globals';
import { type Actor } from '../support/actor.js';
import { type TestTenant } from '../support/tenant.js';
import {
  RaceFixture,
  ROUNDS,
  expectOneSuccess,
  expectSuccessOr,
  followNames,
  isSuccess,
  times,
} from './support/race-fixture.js';

/** Rounds per tenant. A tenant may change its slug ten times per hour. */
const ROUNDS_PER_TENANT = 8;

interface Rival {
  readonly tenant: TestTenant;
  readonly administrator: Actor;
}

describe('Concurrent slug changes', () => {
  const fixture = new RaceFixture(0);

  const rival = async (): Promise<Rival> => {
    const tenant = await fixture.service.tenant();
    return { tenant, administrator: await tenant.as('administrator') };
  };
  let rivals: Rival[] = [];
  const someRivals = async (round: number, count: number): Promise<Rival[]> => {
    if (round % ROUNDS_PER_TENANT === 1) rivals = [];
    while (rivals.length < count) rivals.push(await rival());
    return rivals.slice(0, count);
  };
  const slugs = (where: string, value: string) =>
    fixture.service.query<{ slug: string; tenant_id: string; current: boolean }>(
      `SELECT slug, tenant_id, expires_at IS NULL AS current FROM tenant_slugs WHERE ${where} = $1 ORDER BY expires_at`,
      [value],
    );
  const summaries = async ({ tenant }: Rival) =>
    (await fixture.takeAuditEntries(tenant)).map(({ action, summary }) => `${action} ${summary}`);

  fixture.race(
    'of several tenants to one slug: exactly one succeeds',
    async ({ number, writers, onAnyInstance, concurrently }) => {
      const all = await someRivals(number, writers);
      const slug = `wanted-${number}`;
      const answers = await concurrently(
        all.map(({ administrator }) => onAnyInstance(administrator).put('/settings/slug', { slug })),
      );
      const winner = expectOneSuccess(answers, 'tenant.slug-unavailable');
      for (const [index, one] of all.entries()) {
        const former = one.tenant.slug;
        const won = answers[index] === winner;
        expect(await summaries(one)).toEqual(won ? [`TenantSlugChanged ${former} → ${slug}`] : []);
        if (won) one.tenant.slug = slug;
        expect((await slugs('tenant_id', one.tenant.id)).filter(({ current }) => current)).toMatchObject([
          { slug: one.tenant.slug },
        ]);
        // The other tenants keep their slugs.
        expect((await onAnyInstance(one.administrator).get('/me')).body).toMatchObject({
          tenant: { id: one.tenant.id },
        });
      }
      expect(await slugs('slug', slug)).toMatchObject([{ current: true }]);
      return 'one got it';
    },
  );

  fixture.race(
    'to a slug that its tenant just left: the other tenants do not get it',
    async ({ number, writers, onAnyInstance, concurrently }) => {
      const [owner, ...others] = (await someRivals(number, writers)) as [Rival, ...Rival[]];
      const former = owner.tenant.slug;
      const answers = await concurrently([
        onAnyInstance(owner.administrator).put('/settings/slug', { slug: `further-${number}` }),
        ...others.map(({ administrator }) =>
          onAnyInstance(administrator).put('/settings/slug', { slug: former }),
        ),
      ]);
      expect(expectOneSuccess(answers, 'tenant.slug-unavailable')).toBe(answers[0]);
      expect(await slugs('slug', former)).toMatchObject([{ tenant_id: owner.tenant.id, current: false }]);
      owner.tenant.slug = `further-${number}`;
      for (const one of others) expect(await summaries(one)).toEqual([]);
      expect(await summaries(owner)).toEqual([`TenantSlugChanged ${former} → further-${number}`]);
      return 'owner keeps it';
    },
  );

  fixture.race(
    'to an expired former slug: exactly one tenant gets it',
    async ({ number, writers, onAnyInstance, concurrently }) => {
      const all = await someRivals(number, writers);
      const [owner] = all as [Rival];
      const slug = `former-${number}`;
      await fixture.service.query(
        `INSERT INTO tenant_slugs (slug, tenant_id, expires_at) VALUES ($1, $2, now() - interval '1 second')`,
        [slug, owner.tenant.id],
      );
      const answers = await concurrently(
        all.map(({ administrator }) => onAnyInstance(administrator).put('/settings/slug', { slug })),
      );
      const winner = all[answers.indexOf(expectOneSuccess(answers, 'tenant.slug-unavailable'))]!;
      expect(await slugs('slug', slug)).toMatchObject([{ tenant_id: winner.tenant.id, current: true }]);
      expect(await summaries(winner)).toEqual([`TenantSlugChanged ${winner.tenant.slug} → ${slug}`]);
      winner.tenant.slug = slug;
      return winner === owner ? 'the owner' : 'another tenant';
    },
  );

  fixture.race(
    'of one tenant are applied one after the other',
    async ({ number, writers, onAnyInstance, concurrently }) => {
      const one = await rival();
      const former = one.tenant.slug;
      const answers = await concurrently(
        times(writers, (n) =>
          onAnyInstance(one.administrator).put('/settings/slug', { slug: `many-${number}-${n}` }),
        ),
      );
      // All requests use the first slug. Only the last three former slugs stay valid, so late requests may get a 403.
      expectSuccessOr(answers, 'tenant.no-access');
      const done = answers.filter(isSuccess).length;
      expect(done).toBeGreaterThanOrEqual(Math.min(writers, 4));
      const entries = await fixture.takeAuditEntries(one.tenant);
      expect(entries).toHaveLength(done);
      const kept = await slugs('tenant_id', one.tenant.id);
      expect(kept.map(({ current }) => current)).toEqual([...times(Math.min(done, 3), () => false), true]);
      expect(followNames(entries, former)).toBe(kept.at(-1)?.slug);
      return done === writers ? 'all' : 'the first ones';
    },
  );

  // A deadlock, which the database ends after about a second.
  fixture.race(
    'of two tenants to the slug of the other one: both fail',
    async ({ number, onAnyInstance, concurrently }) => {
      const all = await someRivals(number, 2);
      const [one, two] = all as [Rival, Rival];
      const answers = await concurrently([
        onAnyInstance(one.administrator).put('/settings/slug', { slug: two.tenant.slug }),
        onAnyInstance(two.administrator).put('/settings/slug', { slug: one.tenant.slug }),
      ]);
      expectSuccessOr(answers, 'tenant.slug-unavailable');
      expect(answers.filter(isSuccess)).toEqual([]);
      for (const rivalOf of all) {
        expect(await slugs('tenant_id', rivalOf.tenant.id)).toContainEqual({
          slug: rivalOf.tenant.slug,
          tenant_id: rivalOf.tenant.id,
          current: true,
        });
        expect(await summaries(rivalOf)).toEqual([]);
      }
      return 'neither';
    },
    ROUNDS / 5,
  );
});
