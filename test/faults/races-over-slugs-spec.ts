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

/** A tenant may try ten slugs an hour; each takes part in so many rounds. */
const ROUNDS_EACH = 8;

interface Rival {
  readonly tenant: TestTenant;
  readonly chief: Actor;
}

describe('Races for a slug', () => {
  const fixture = new RaceFixture();

  const rival = async (): Promise<Rival> => {
    const tenant = await fixture.service.tenant();
    return { tenant, chief: await tenant.as('administrator') };
  };
  let rivals: Rival[] = [];
  const someRivals = async (round: number, count: number): Promise<Rival[]> => {
    if (round % ROUNDS_EACH === 1) rivals = [];
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
    'one slug for several tenants: one gets it',
    async ({ number, writers, onAnyInstance, concurrently }) => {
      const all = await someRivals(number, writers);
      const slug = `wanted-${number}`;
      const answers = await concurrently(
        all.map(({ chief }) => onAnyInstance(chief).put('/settings/slug', { slug })),
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
        // Whoever lost it is found where they were.
        expect((await onAnyInstance(one.chief).get('/me')).body).toMatchObject({
          tenant: { id: one.tenant.id },
        });
      }
      expect(await slugs('slug', slug)).toMatchObject([{ current: true }]);
      return 'one got it';
    },
  );

  fixture.race(
    'a slug that its tenant gives up: nobody gets it',
    async ({ number, writers, onAnyInstance, concurrently }) => {
      const [owner, ...others] = (await someRivals(number, writers)) as [Rival, ...Rival[]];
      const former = owner.tenant.slug;
      const answers = await concurrently([
        onAnyInstance(owner.chief).put('/settings/slug', { slug: `further-${number}` }),
        ...others.map(({ chief }) => onAnyInstance(chief).put('/settings/slug', { slug: former })),
      ]);
      expect(expectOneSuccess(answers, 'tenant.slug-unavailable')).toBe(answers[0]);
      expect(await slugs('slug', former)).toMatchObject([{ tenant_id: owner.tenant.id, current: false }]);
      owner.tenant.slug = `further-${number}`;
      for (const one of others) expect(await summaries(one)).toEqual([]);
      expect(await summaries(owner)).toEqual([`TenantSlugChanged ${former} → further-${number}`]);
      return 'its owner keeps it';
    },
  );

  fixture.race(
    'a former slug that has run out: one gets it',
    async ({ number, writers, onAnyInstance, concurrently }) => {
      const all = await someRivals(number, writers);
      const [owner] = all as [Rival];
      const slug = `former-${number}`;
      await fixture.service.query(
        `INSERT INTO tenant_slugs (slug, tenant_id, expires_at) VALUES ($1, $2, now() - interval '1 second')`,
        [slug, owner.tenant.id],
      );
      const answers = await concurrently(
        all.map(({ chief }) => onAnyInstance(chief).put('/settings/slug', { slug })),
      );
      const winner = all[answers.indexOf(expectOneSuccess(answers, 'tenant.slug-unavailable'))]!;
      expect(await slugs('slug', slug)).toMatchObject([{ tenant_id: winner.tenant.id, current: true }]);
      expect(await summaries(winner)).toEqual([`TenantSlugChanged ${winner.tenant.slug} → ${slug}`]);
      winner.tenant.slug = slug;
      return winner === owner ? 'the owner' : 'another tenant';
    },
  );

  fixture.race(
    'several slugs for one tenant: one after the other',
    async ({ number, writers, onAnyInstance, concurrently }) => {
      const one = await rival();
      const former = one.tenant.slug;
      const answers = await concurrently(
        times(writers, (n) =>
          onAnyInstance(one.chief).put('/settings/slug', { slug: `many-${number}-${n}` }),
        ),
      );
      // They all name it by the slug that it had: the last three former ones lead to it, and that may be too late.
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

  // Each waits for the other one, until the database ends it: a second or so for a round.
  fixture.race(
    'two tenants who want each other’s: neither gets it',
    async ({ number, onAnyInstance, concurrently }) => {
      const all = await someRivals(number, 2);
      const [one, two] = all as [Rival, Rival];
      const answers = await concurrently([
        onAnyInstance(one.chief).put('/settings/slug', { slug: two.tenant.slug }),
        onAnyInstance(two.chief).put('/settings/slug', { slug: one.tenant.slug }),
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
