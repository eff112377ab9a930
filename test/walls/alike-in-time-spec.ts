import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { newId } from '../../src/common/identifier.js';
import { saveInvitation } from '../factories/invitations.js';
import { type Actor } from '../support/actor.js';
import { TestService } from '../support/service.js';
import { CountedInstance } from './support/counted-instance.js';
import { GUESTS, type GuestGround, guestGround, hiddenFor, seenFor } from './support/out-of-sight.js';
import { type Settlement, settle } from './support/settlement.js';
import { type Slot } from './support/slot.js';
import { thingIn } from './support/wall.js';
import { WallClient, type WallRequest, comparable } from './support/wall-client.js';
import { type WallOperation, wallOperations } from './support/wall-operations.js';
import { INVITED, unknownThing } from './support/wall-things.js';

// Many requests in a case: where the machine has much else to do, they take their time.
jest.setTimeout(600_000);

interface Told {
  readonly text: string;
  /** That the database was sent. */
  readonly bytes: number;
  readonly status: number;
}

/**
 * Answers that must not tell two things apart take the same way: not only is each byte the same, the database is asked
 * the same, statement by statement, so that it takes the same time. That is counted instead of measured, because it
 * does not depend on what else the machine has to do; what is left for time to tell, test/faults/alike-in-time-spec.ts
 * measures.
 */
describe('Answers that must be alike', () => {
  let service: TestService;
  let instance: CountedInstance;
  let client: WallClient;
  let operations: readonly WallOperation[];
  let ground: GuestGround;
  let other: Settlement;
  beforeAll(async () => {
    service = await TestService.start();
    instance = await CountedInstance.start(service);
    client = new WallClient(instance.url, instance.server, service.conformance);
    operations = wallOperations(service);
    ground = await guestGround(service);
    other = await settle(await service.tenant(), ground.people);
    // Whose token was verified a minute ago is looked up anew, between two questions that are to cost the same.
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    client.stop();
    await instance.stop();
    await service.stop();
  });

  async function ask(
    { token }: Actor,
    request: Omit<WallRequest, 'token'>,
    named: readonly string[],
  ): Promise<Told> {
    const { result, bytes } = await instance.cost(() => client.send({ ...request, token }));
    return { text: comparable(result, named), bytes, status: result.status };
  }

  /** What differs between what is asked; each is asked twice, since the first time statements are prepared. */
  async function differences(
    what: string,
    asks: readonly (() => Promise<Told>)[],
    expected: readonly number[],
  ): Promise<string[]> {
    for (const send of asks) await send();
    const told: Told[] = [];
    for (const send of asks) told.push(await send());
    const [first, ...others] = told;
    if (!first || others.length === 0) throw new Error('There is nothing to compare');
    if (!expected.includes(first.status)) return [`${what} is not asked well: ${first.text}`];
    return others.flatMap(({ text, bytes }) => [
      ...(text === first.text ? [] : [`${what}: ${text} instead of ${first.text}`]),
      ...(bytes === first.bytes
        ? []
        : [`${what}: the database was sent ${bytes} instead of ${first.bytes} bytes`]),
    ]);
  }

  const ownThing = (slot: Slot) => thingIn(ground.home, slot.thing);

  it('a tenant that somebody has no access to, and one that does not exist, in every operation', async () => {
    const outsider = await ground.home.tenant.outsider();
    const slugs = [`t-${randomBytes(8).toString('hex')}`, ground.home.tenant.slug];
    const faults: string[] = [];
    for (const { name, forms } of operations) {
      for (const form of forms) {
        const asks = slugs.map((slug) => () => ask(outsider, form.build(slug, ownThing), [slug]));
        faults.push(...(await differences(name, asks, [403, 404])));
      }
    }
    expect(faults).toEqual([]);
  });

  it('an id of another tenant and one that nothing has, to who may do everything in both', async () => {
    const { home, people } = ground;
    const faults: string[] = [];
    let compared = 0;
    for (const { name, forms, filters } of operations) {
      const caller = INVITED[name] ? people[INVITED[name]] : people.administrator;
      for (const form of [...forms, ...filters]) {
        for (const slot of form.slots) {
          const asks = [unknownThing(slot.thing), thingIn(other, slot.thing)].map((id) => () => {
            const request = form.build(home.tenant.slug, (one) => (one === slot ? id : ownThing(one)));
            return ask(caller, request, [id]);
          });
          // Slugs of tenants have no ids, and the attempts at them are counted.
          if (slot.thing === 'slug') continue;
          faults.push(...(await differences(`${name} ${slot.place}`, asks, [200, 400, 404])));
          compared += 1;
        }
      }
    }
    expect(faults).toEqual([]);
    expect(compared).toBeGreaterThan(80);
  });

  it.each(GUESTS)('an id of what is hidden and one that nothing has, to guests %s', async (what) => {
    const { home, guests } = ground;
    const faults: string[] = [];
    for (const { name, forms, filters } of operations) {
      for (const form of [...forms, ...filters]) {
        for (const slot of form.slots) {
          const hidden = hiddenFor(slot, ground);
          if (hidden.length === 0) continue;
          const asks = [newId(), ...hidden].map((id) => () => {
            const request = form.build(home.tenant.slug, (one) => (one === slot ? id : seenFor(one, ground)));
            return ask(guests[what], request, [id]);
          });
          faults.push(...(await differences(`${name} ${slot.place}`, asks, [200, 400, 403, 404])));
        }
      }
    }
    expect(faults).toEqual([]);
  });

  it('a document that is confidential to others and one that is not there, to an administrator', async () => {
    const administrator = await ground.home.tenant.as('administrator');
    const hidden = [thingIn(ground.home, 'confidentialDocument'), thingIn(ground.home, 'secretInFile')];
    const faults: string[] = [];
    for (const { name, forms, filters } of operations) {
      // What keeps the lists has to find what is on them.
      if (/ConfidentialUsers?$/.test(name)) continue;
      for (const form of [...forms, ...filters]) {
        for (const slot of form.slots.filter(
          ({ thing }) => /document/i.test(thing) && !/type/i.test(thing),
        )) {
          const asks = [newId(), ...hidden].map((id) => () => {
            const request = form.build(ground.home.tenant.slug, (one) => (one === slot ? id : ownThing(one)));
            return ask(administrator, request, [id]);
          });
          faults.push(...(await differences(`${name} ${slot.place}`, asks, [200, 400, 404])));
        }
      }
    }
    expect(faults).toEqual([]);
  });

  it.each(['accept', 'decline'])(
    'an invitation that is not there and one that cannot be used any more: %s',
    async (answer) => {
      const { home, chief, people } = ground;
      const { tenant } = home;
      const invited = await tenant.outsider();
      const { email } = invited;
      const secrets = [unknownThing('secret')];
      for (const status of ['Accepted', 'Declined', 'Revoked', 'Expired'] as const)
        secrets.push((await saveInvitation(tenant, chief, { email, status })).secret);
      const runOut = { email, expiresAt: `now() - interval '1 second'` };
      secrets.push((await saveInvitation(tenant, chief, runOut)).secret);
      secrets.push((await saveInvitation(tenant, chief)).secret);
      const elsewhere = people.administrator.at(other.tenant);
      secrets.push((await saveInvitation(other.tenant, elsewhere, { email })).secret);

      const asking = (slug: string, secret: string) => () =>
        ask(
          invited,
          {
            method: 'POST',
            path: `/api/v1/t/${slug}/invitations/${answer}`,
            body: JSON.stringify({ secret }),
            contentType: 'application/json',
          },
          [slug, secret],
        );
      const asks = secrets.map((secret) => asking(tenant.slug, secret));
      asks.push(asking(`t-${randomBytes(8).toString('hex')}`, secrets[0] ?? ''));
      expect(await differences(answer, asks, [404])).toEqual([]);
    },
  );
});
