import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { newId } from '../../../src/common/identifier.js';
import { saveInvitation } from '../../factories/invitations.js';
import { type Actor } from '../../support/actor.js';
import { sized } from '../../support/exhaustive.js';
import { TestService } from '../../support/service/service.js';
import { CountedInstance } from '../support/counted-instance.js';
import { GUESTS, type GuestGround, guestGround, hiddenFor, seenFor } from './support/out-of-sight.js';
import { type Settlement, settle } from '../support/settlement.js';
import { type Slot } from '../support/slot.js';
import { inTurn } from '../support/selection.js';
import { thingIn } from '../support/wall.js';
import { WallClient, type WallRequest, comparable } from '../support/wall-client.js';
import { type WallOperation, wallOperations } from '../support/wall-operations.js';
import { INVITED, unknownThing } from '../support/wall-things.js';

// Many requests in a case: where the machine has much else to do, they take their time.
jest.setTimeout(600_000);

/** `npm test` compares one of so many pairs of answers of each operation. */
const STEP = 4;

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
    service = await TestService.shared();
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

  /** Every place of every operation in which something can be named that is to be compared. */
  const places = (isCompared: (slot: Slot, operation: WallOperation) => boolean) =>
    operations.flatMap((operation, index) => {
      const all = [...operation.forms, ...operation.filters].flatMap((form) =>
        form.slots
          .filter((slot) => isCompared(slot, operation))
          .map((slot) => ({ name: operation.name, form, slot })),
      );
      return inTurn(all, index, STEP);
    });

  it('a tenant that somebody has no access to, and one that does not exist, in every operation', async () => {
    const outsider = await ground.home.tenant.outsider();
    const slugs = [`t-${randomBytes(8).toString('hex')}`, ground.home.tenant.slug];
    const faults: string[] = [];
    for (const [index, { name, forms }] of operations.entries()) {
      for (const form of inTurn(forms, index, STEP)) {
        const asks = slugs.map((slug) => () => ask(outsider, form.build(slug, ownThing), [slug]));
        faults.push(...(await differences(name, asks, [403, 404])));
      }
    }
    expect(faults).toEqual([]);
  });

  it('an id of another tenant and one that nothing has, to who may do everything in both', async () => {
    const { home, people } = ground;
    const faults: string[] = [];
    // Slugs of tenants have no ids, and the attempts at them are counted.
    const compared = places(({ thing }) => thing !== 'slug');
    for (const { name, form, slot } of compared) {
      const caller = INVITED[name] ? people[INVITED[name]] : people.administrator;
      const asks = [unknownThing(slot.thing), thingIn(other, slot.thing)].map((id) => () => {
        const request = form.build(home.tenant.slug, (one) => (one === slot ? id : ownThing(one)));
        return ask(caller, request, [id]);
      });
      faults.push(...(await differences(`${name} ${slot.place}`, asks, [200, 400, 404])));
    }
    expect(faults).toEqual([]);
    expect(compared.length).toBeGreaterThan(sized(50, 80));
  });

  it.each(GUESTS)('an id of what is hidden and one that nothing has, to guests %s', async (what) => {
    const { home, guests } = ground;
    const faults: string[] = [];
    const hiding = places((one) => hiddenFor(one, ground).length > 0);
    // In `npm test`, each kind of guest has a third of the operations.
    for (const { name, form, slot } of inTurn(hiding, GUESTS.indexOf(what), GUESTS.length)) {
      const asks = [newId(), ...hiddenFor(slot, ground)].map((id) => () => {
        const request = form.build(home.tenant.slug, (one) => (one === slot ? id : seenFor(one, ground)));
        return ask(guests[what], request, [id]);
      });
      faults.push(...(await differences(`${name} ${slot.place}`, asks, [200, 400, 403, 404])));
    }
    expect(faults).toEqual([]);
  });

  it('a document that is confidential to others and one that is not there, to an administrator', async () => {
    const administrator = await ground.home.tenant.as('administrator');
    const hidden = [thingIn(ground.home, 'confidentialDocument'), thingIn(ground.home, 'secretInFile')];
    const faults: string[] = [];
    // What keeps the lists has to find what is on them.
    const compared = places(
      ({ thing }, { name }) =>
        !/ConfidentialUsers?$/.test(name) && /document/i.test(thing) && !/type/i.test(thing),
    );
    for (const { name, form, slot } of compared) {
      const asks = [newId(), ...hidden].map((id) => () => {
        const request = form.build(ground.home.tenant.slug, (one) => (one === slot ? id : ownThing(one)));
        return ask(administrator, request, [id]);
      });
      faults.push(...(await differences(`${name} ${slot.place}`, asks, [200, 400, 404])));
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
