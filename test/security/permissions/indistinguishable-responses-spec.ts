import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { newId } from '../../../src/common/identifier.js';
import { saveInvitation } from '../../factories/invitations.js';
import { type Actor } from '../../support/actor.js';
import { sized } from '../../support/exhaustive.js';
import { TestService } from '../../support/service/service.js';
import { MeteredInstance } from '../support/metered-instance.js';
import {
  GUEST_KINDS,
  type GuestFixture,
  createGuestFixture,
  hiddenIdentifiers,
  visibleIdentifier,
} from './support/guest-fixture.js';
import { type PopulatedTenant, populateTenant } from '../support/populated-tenant.js';
import { type Slot } from '../support/identifier-slot.js';
import { everyNth } from '../support/case-selection.js';
import { identifierIn } from '../support/isolation-test.js';
import { ConformanceClient, type ApiRequest, normalizedResponse } from '../support/conformance-client.js';
import { type TenantOperation, tenantOperations } from '../support/tenant-operations.js';
import { CALLER_OVERRIDES, unknownIdentifier } from '../support/operation-overrides.js';

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
 * Answers that must not tell two identifiers apart take the same way: not only is each byte the same, the database is asked
 * the same, statement by statement, so that it takes the same time. That is counted instead of measured, because it
 * does not depend on what else the machine has to do; what is left for time to tell, test/faults/equal-timing-spec.ts
 * measures.
 */
describe('Answers that must be alike', () => {
  let service: TestService;
  let instance: MeteredInstance;
  let client: ConformanceClient;
  let operations: readonly TenantOperation[];
  let fixture: GuestFixture;
  let other: PopulatedTenant;
  beforeAll(async () => {
    service = await TestService.shared();
    instance = await MeteredInstance.start(service);
    client = new ConformanceClient(instance.url, instance.server, service.conformance);
    operations = tenantOperations(service);
    fixture = await createGuestFixture(service);
    other = await populateTenant(await service.tenant(), fixture.users);
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
    request: Omit<ApiRequest, 'token'>,
    named: readonly string[],
  ): Promise<Told> {
    const { result, bytes } = await instance.measure(() => client.send({ ...request, token }));
    return { text: normalizedResponse(result, named), bytes, status: result.status };
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

  const ownThing = (slot: Slot) => identifierIn(fixture.home, slot.resource);

  /** Every field of every operation in which something can be named that is to be compared. */
  const places = (isCompared: (slot: Slot, operation: TenantOperation) => boolean) =>
    operations.flatMap((operation, index) => {
      const all = [...operation.templates, ...operation.filterTemplates].flatMap((template) =>
        template.slots
          .filter((slot) => isCompared(slot, operation))
          .map((slot) => ({ name: operation.name, template, slot })),
      );
      return everyNth(all, index, STEP);
    });

  it('a tenant that somebody has no access to, and one that does not exist, in every operation', async () => {
    const outsider = await fixture.home.tenant.nonMember();
    const slugs = [`t-${randomBytes(8).toString('hex')}`, fixture.home.tenant.slug];
    const failures: string[] = [];
    for (const [index, { name, templates }] of operations.entries()) {
      for (const template of everyNth(templates, index, STEP)) {
        const asks = slugs.map((slug) => () => ask(outsider, template.build(slug, ownThing), [slug]));
        failures.push(...(await differences(name, asks, [403, 404])));
      }
    }
    expect(failures).toEqual([]);
  });

  it('an id of another tenant and one that nothing has, to who may do everything in both', async () => {
    const { home, users } = fixture;
    const failures: string[] = [];
    // Slugs of tenants have no ids, and the attempts at them are counted.
    const compared = places(({ resource }) => resource !== 'slug');
    for (const { name, template, slot } of compared) {
      const caller = CALLER_OVERRIDES[name] ? users[CALLER_OVERRIDES[name]] : users.administrator;
      const asks = [unknownIdentifier(slot.resource), identifierIn(other, slot.resource)].map((id) => () => {
        const request = template.build(home.tenant.slug, (one) => (one === slot ? id : ownThing(one)));
        return ask(caller, request, [id]);
      });
      failures.push(...(await differences(`${name} ${slot.field}`, asks, [200, 400, 404])));
    }
    expect(failures).toEqual([]);
    expect(compared.length).toBeGreaterThan(sized(50, 80));
  });

  it.each(GUEST_KINDS)('an id of what is hidden and one that nothing has, to guests %s', async (what) => {
    const { home, guests } = fixture;
    const failures: string[] = [];
    const hiding = places((one) => hiddenIdentifiers(one, fixture).length > 0);
    // In `npm test`, each kind of guest has a third of the operations.
    for (const { name, template, slot } of everyNth(hiding, GUEST_KINDS.indexOf(what), GUEST_KINDS.length)) {
      const asks = [newId(), ...hiddenIdentifiers(slot, fixture)].map((id) => () => {
        const request = template.build(home.tenant.slug, (one) =>
          one === slot ? id : visibleIdentifier(one, fixture),
        );
        return ask(guests[what], request, [id]);
      });
      failures.push(...(await differences(`${name} ${slot.field}`, asks, [200, 400, 403, 404])));
    }
    expect(failures).toEqual([]);
  });

  it('a document that is confidential to others and one that is not there, to an administrator', async () => {
    const administrator = await fixture.home.tenant.as('administrator');
    const hidden = [
      identifierIn(fixture.home, 'confidentialDocument'),
      identifierIn(fixture.home, 'secretInFile'),
    ];
    const failures: string[] = [];
    // What keeps the lists has to find what is on them.
    const compared = places(
      ({ resource }, { name }) =>
        !/ConfidentialUsers?$/.test(name) && /document/i.test(resource) && !/type/i.test(resource),
    );
    for (const { name, template, slot } of compared) {
      const asks = [newId(), ...hidden].map((id) => () => {
        const request = template.build(fixture.home.tenant.slug, (one) =>
          one === slot ? id : ownThing(one),
        );
        return ask(administrator, request, [id]);
      });
      failures.push(...(await differences(`${name} ${slot.field}`, asks, [200, 400, 404])));
    }
    expect(failures).toEqual([]);
  });

  it.each(['accept', 'decline'])(
    'an invitation that is not there and one that cannot be used any more: %s',
    async (answer) => {
      const { home, administrator, users } = fixture;
      const { tenant } = home;
      const invited = await tenant.nonMember();
      const { email } = invited;
      const secrets = [unknownIdentifier('secret')];
      for (const status of ['Accepted', 'Declined', 'Revoked', 'Expired'] as const)
        secrets.push((await saveInvitation(tenant, administrator, { email, status })).secret);
      const runOut = { email, expiresAt: `now() - interval '1 second'` };
      secrets.push((await saveInvitation(tenant, administrator, runOut)).secret);
      secrets.push((await saveInvitation(tenant, administrator)).secret);
      const elsewhere = users.administrator.inTenant(other.tenant);
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
