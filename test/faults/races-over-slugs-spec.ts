import { describe, expect } from '@jest/globals';
import { type Actor } from '../support/actor.js';
import { type TestTenant } from '../support/tenant.js';
import {
  RaceGround,
  ROUNDS,
  expectOneWinner,
  expectRefused,
  followNames,
  isDone,
  times,
} from './support/race-ground.js';

/** A tenant may try ten slugs an hour; each takes part in so many rounds. */
const ROUNDS_EACH = 8;

interface Rival {
  readonly tenant: TestTenant;
  readonly chief: Actor;
}

describe('Races for a slug', () => {
  const ground = new RaceGround();

  const rival = async (): Promise<Rival> => {
    const tenant = await ground.service.tenant();
    return { tenant, chief: await tenant.as('administrator') };
  };
  let rivals: Rival[] = [];
  const someRivals = async (round: number, count: number): Promise<Rival[]> => {
    if (round % ROUNDS_EACH === 1) rivals = [];
    while (rivals.length < count) rivals.push(await rival());
    return rivals.slice(0, count);
  };
  const slugs = (where: string, value: string) =>
    ground.service.query<{ slug: string; tenant_id: string; current: boolean }>(
      `SELECT slug, tenant_id, expires_at IS NULL AS current FROM tenant_slugs WHERE ${where} = $1 ORDER BY expires_at`,
      [value],
    );
  const summaries = async ({ tenant }: Rival) =>
    (await ground.takeEntries(tenant)).map(({ action, summary }) => `${action} ${summary}`);

  ground.race('one slug for several tenants: one gets it', async ({ number, writers, on, atOnce }) => {
    const all = await someRivals(number, writers);
    const slug = `wanted-${number}`;
    const answers = await atOnce(all.map(({ chief }) => on(chief).put('/settings/slug', { slug })));
    const winner = expectOneWinner(answers, 'tenant.slug-unavailable');
    for (const [index, one] of all.entries()) {
      const former = one.tenant.slug;
      const won = answers[index] === winner;
      expect(await summaries(one)).toEqual(won ? [`TenantSlugChanged ${former} → ${slug}`] : []);
      if (won) one.tenant.slug = slug;
      expect((await slugs('tenant_id', one.tenant.id)).filter(({ current }) => current)).toMatchObject([
        { slug: one.tenant.slug },
      ]);
      // Whoever lost it is found where they were.
      expect((await on(one.chief).get('/me')).body).toMatchObject({ tenant: { id: one.tenant.id } });
    }
    expect(await slugs('slug', slug)).toMatchObject([{ current: true }]);
    return 'one got it';
  });

  ground.race('a slug that its tenant gives up: nobody gets it', async ({ number, writers, on, atOnce }) => {
    const [owner, ...others] = (await someRivals(number, writers)) as [Rival, ...Rival[]];
    const former = owner.tenant.slug;
    const answers = await atOnce([
      on(owner.chief).put('/settings/slug', { slug: `further-${number}` }),
      ...others.map(({ chief }) => on(chief).put('/settings/slug', { slug: former })),
    ]);
    expect(expectOneWinner(answers, 'tenant.slug-unavailable')).toBe(answers[0]);
    expect(await slugs('slug', former)).toMatchObject([{ tenant_id: owner.tenant.id, current: false }]);
    owner.tenant.slug = `further-${number}`;
    for (const one of others) expect(await summaries(one)).toEqual([]);
    expect(await summaries(owner)).toEqual([`TenantSlugChanged ${former} → further-${number}`]);
    return 'its owner keeps it';
  });

  ground.race('a former slug that has run out: one gets it', async ({ number, writers, on, atOnce }) => {
    const all = await someRivals(number, writers);
    const [owner] = all as [Rival];
    const slug = `former-${number}`;
    await ground.service.query(
      `INSERT INTO tenant_slugs (slug, tenant_id, expires_at) VALUES ($1, $2, now() - interval '1 second')`,
      [slug, owner.tenant.id],
    );
    const answers = await atOnce(all.map(({ chief }) => on(chief).put('/settings/slug', { slug })));
    const winner = all[answers.indexOf(expectOneWinner(answers, 'tenant.slug-unavailable'))]!;
    expect(await slugs('slug', slug)).toMatchObject([{ tenant_id: winner.tenant.id, current: true }]);
    expect(await summaries(winner)).toEqual([`TenantSlugChanged ${winner.tenant.slug} → ${slug}`]);
    winner.tenant.slug = slug;
    return winner === owner ? 'the owner' : 'another tenant';
  });

  ground.race(
    'several slugs for one tenant: one after the other',
    async ({ number, writers, on, atOnce }) => {
      const one = await rival();
      const former = one.tenant.slug;
      const answers = await atOnce(
        times(writers, (n) => on(one.chief).put('/settings/slug', { slug: `many-${number}-${n}` })),
      );
      // They all name it by the slug that it had: the last three former ones lead to it, and that may be too late.
      expectRefused(answers, 'tenant.no-access');
      const done = answers.filter(isDone).length;
      expect(done).toBeGreaterThanOrEqual(Math.min(writers, 4));
      const entries = await ground.takeEntries(one.tenant);
      expect(entries).toHaveLength(done);
      const kept = await slugs('tenant_id', one.tenant.id);
      expect(kept.map(({ current }) => current)).toEqual([...times(Math.min(done, 3), () => false), true]);
      expect(followNames(entries, former)).toBe(kept.at(-1)?.slug);
      return done === writers ? 'all' : 'the first ones';
    },
  );

  // Each waits for the other one, until the database ends it: a second or so for a round.
  ground.race(
    'two tenants who want each other’s: neither gets it',
    async ({ number, on, atOnce }) => {
      const all = await someRivals(number, 2);
      const [one, two] = all as [Rival, Rival];
      const answers = await atOnce([
        on(one.chief).put('/settings/slug', { slug: two.tenant.slug }),
        on(two.chief).put('/settings/slug', { slug: one.tenant.slug }),
      ]);
      expectRefused(answers, 'tenant.slug-unavailable');
      expect(answers.filter(isDone)).toEqual([]);
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
