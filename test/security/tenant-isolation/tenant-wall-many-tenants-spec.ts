import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { sized } from '../../support/exhaustive.js';
import {
  type Settlement,
  UUID,
  type Wanderers,
  idsIn,
  rowsOf,
  settle,
  wanderers,
} from '../support/settlement.js';
import { type Slot } from '../support/slot.js';
import { type WallAnswer, WallClient, type WallRequest, severalAtATime } from '../support/wall-client.js';
import { wallGround } from './support/wall-ground.js';
import { wallOperations } from '../support/wall-operations.js';
import { type WallGround, thingIn } from '../support/wall.js';
import { INVITED } from '../support/wall-things.js';

const TENANTS = sized(8, 50);
const REQUESTS = sized(250, 2000);
/** What is asked, of whom and in which order follows from it. */
const SEED = Number(process.env.WALL_SEED ?? 20261122);
/** Of the tenants of tests, and in the name of everything that is in one. */
const SLUG = /\bt-[0-9a-f]{16}\b/g;

/** Mulberry32: a small generator of numbers from 0 to 1, the same for the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Step {
  readonly what: string;
  readonly settlement: Settlement;
  readonly request: WallRequest;
  /** What was named of another tenant. */
  readonly foreign: readonly string[];
}

// Seconds, on a machine that has nothing else to do.
jest.setTimeout(600_000);

describe('Many tenants at once on a pool of three connections', () => {
  let ground: WallGround;
  let client: WallClient;
  let people: Wanderers;
  let settlements: Settlement[];
  /** Which tenant an id is of, by slug; null where several have it, as people who are members of several. */
  const slugOf = new Map<string, string | null>();
  beforeAll(async () => {
    ground = await wallGround({ databasePoolSize: 3 });
    const { service } = ground;
    client = new WallClient(ground.url, ground.server, service.conformance, 24);
    people = await wanderers(service);
    settlements = await severalAtATime([...Array(TENANTS).keys()], async () =>
      settle(await service.tenant(), people),
    );
    for (const { tenant } of settlements)
      for (const id of await idsIn(tenant)) slugOf.set(id, slugOf.has(id) ? null : tenant.slug);
  });
  afterAll(async () => {
    client.stop();
    await ground.stop();
  });

  /** What is of another tenant in a text, but for what was named. */
  function strange(text: string, { tenant }: Settlement, named: readonly string[] = []): string[] {
    const ids = (text.match(UUID) ?? []).filter((id) => (slugOf.get(id) ?? tenant.slug) !== tenant.slug);
    const slugs = (text.match(SLUG) ?? []).filter((slug) => slug !== tenant.slug);
    return [...ids, ...slugs].filter((one) => !named.includes(one));
  }

  function steps(random: () => number): Step[] {
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const operations = wallOperations(ground.service);
    return Array.from({ length: REQUESTS }, () => {
      const [settlement, another] = [pick(settlements), pick(settlements)];
      const { name, forms, filters, page } = pick(operations);
      const { slug } = settlement.tenant;
      const wanderer = people[INVITED[name] ?? 'administrator'];
      const { token } = random() < 0.7 ? wanderer : settlement.member;
      if (page && random() < 0.5) {
        const request = { ...page(slug, ({ thing }) => thingIn(settlement, thing)), token };
        return { what: `a page of ${name}`, settlement, request, foreign: [] };
      }
      const form = pick([...forms, ...filters]);
      const odd = random() < 0.2 ? pick(form.slots) : undefined;
      const foreign = odd ? [thingIn(another, odd.thing)] : [];
      const fill = (slot: Slot) => thingIn(slot === odd ? another : settlement, slot.thing);
      return { what: name, settlement, request: { ...form.build(slug, fill), token }, foreign };
    });
  }

  it('never shows anybody, and never writes to anybody, what is of another', async () => {
    const statuses: Record<number, number> = {};
    const faults = await severalAtATime(
      steps(seeded(SEED)),
      async ({ what, settlement, request, foreign }): Promise<string[]> => {
        const answer = await client.send(request);
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        const told = strange(JSON.stringify(answer.headers) + answer.text, settlement, foreign);
        const isFault = answer.status === 500 || answer.status === 401;
        return told.length > 0 || isFault
          ? [`${what} in ${settlement.tenant.slug}: ${answer.status} ${answer.text} ${told.join()}`]
          : [];
      },
      24,
    );
    expect({ seed: SEED, faults: faults.flat() }).toEqual({ seed: SEED, faults: [] });
    // Most of it was to be had.
    const had = (statuses[200] ?? 0) + (statuses[201] ?? 0) + (statuses[204] ?? 0);
    expect(had).toBeGreaterThan(REQUESTS / 2);
    for (const settlement of settlements) {
      const rows = await rowsOf(settlement.tenant);
      expect(rows.filter((row) => strange(row, settlement).length > 0)).toEqual([]);
    }
  });

  it('keeps apart the same Idempotency-Key of the same person in all of them', async () => {
    const create = ({ tenant }: Settlement): Promise<WallAnswer> =>
      client.send({
        method: 'POST',
        path: `/api/v1/t/${tenant.slug}/tags`,
        token: people.administrator.token,
        body: JSON.stringify({ name: 'Of each' }),
        contentType: 'application/json',
        headers: { 'Idempotency-Key': 'one-for-all' },
      });
    const idOf = ({ json }: WallAnswer) => (json as { id: string }).id;
    const twice = await severalAtATime([...settlements, ...settlements], create, 24);
    expect(twice.filter(({ status }) => status !== 201)).toEqual([]);
    const ids = twice.map(idOf);
    expect(ids.slice(TENANTS)).toEqual(ids.slice(0, TENANTS));
    expect(new Set(ids).size).toBe(TENANTS);
  });
});
