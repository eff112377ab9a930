import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { newId } from '../../../src/common/identifier.js';
import { saveInvitation } from '../../factories/invitations.js';
import { type Actor } from '../../support/actor.js';
import { sized } from '../../support/exhaustive.js';
import { service } from '../../support/service/shared-service.js';
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

// Each test sends many requests, which take minutes on a busy machine.
jest.setTimeout(600_000);

/** `npm test` compares every eighth pair of responses of an operation. */
const STEP = 8;

interface MeasuredResponse {
  readonly text: string;
  /** The bytes sent to the database for the request. */
  readonly bytes: number;
  readonly status: number;
}

/**
 * A response must not reveal whether an identifier exists but is hidden, or does not exist. So both responses must have
 * the same bytes, and the service must send the same number of bytes to the database, which means the same statements
 * and the same time. Bytes are counted because times depend on the load of the machine; measurements of the remaining
 * differences in time are in test/faults.
 */
describe('Responses that must be indistinguishable', () => {
  let instance: MeteredInstance;
  let client: ConformanceClient;
  let operations: readonly TenantOperation[];
  let fixture: GuestFixture;
  let other: PopulatedTenant;
  beforeAll(async () => {
    instance = await MeteredInstance.start(service);
    client = new ConformanceClient(instance.url, instance.server, service.conformance);
    operations = tenantOperations(service);
    fixture = await createGuestFixture(service);
    other = await populateTenant(await service.tenant(), fixture.users);
    // Freeze the clock: a token verified more than a minute ago is verified again, which would change the cost.
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    client.stop();
    await instance.stop();
  });

  async function send(
    { token }: Actor,
    request: Omit<ApiRequest, 'token'>,
    named: readonly string[],
  ): Promise<MeasuredResponse> {
    const { result, bytes } = await instance.measure(() => client.send({ ...request, token }));
    return { text: normalizedResponse(result, named), bytes, status: result.status };
  }

  /** The differences between the responses. Each request is sent twice, because the first one prepares statements. */
  async function differences(
    what: string,
    requests: readonly (() => Promise<MeasuredResponse>)[],
    expected: readonly number[],
  ): Promise<string[]> {
    for (const sendRequest of requests) await sendRequest();
    const measured: MeasuredResponse[] = [];
    for (const sendRequest of requests) measured.push(await sendRequest());
    const [first, ...others] = measured;
    if (!first || others.length === 0) throw new Error('At least two requests are needed');
    if (!expected.includes(first.status)) return [`${what} was not a valid request: ${first.text}`];
    return others.flatMap(({ text, bytes }) => [
      ...(text === first.text ? [] : [`${what}: ${text} instead of ${first.text}`]),
      ...(bytes === first.bytes
        ? []
        : [`${what}: the database was sent ${bytes} instead of ${first.bytes} bytes`]),
    ]);
  }

  const ownIdentifier = (slot: Slot) => identifierIn(fixture.populated, slot.resource);

  /** A sample of the slots of all operations that `isCompared` selects. */
  const slotsWhere = (isCompared: (slot: Slot, operation: TenantOperation) => boolean) =>
    operations.flatMap((operation, index) => {
      const all = [...operation.templates, ...operation.filterTemplates].flatMap((template) =>
        template.slots
          .filter((slot) => isCompared(slot, operation))
          .map((slot) => ({ name: operation.name, template, slot })),
      );
      return everyNth(all, index, STEP);
    });

  it('for a tenant without access and an unknown tenant, in every operation', async () => {
    const outsider = await fixture.populated.tenant.nonMember();
    const slugs = [`t-${randomBytes(8).toString('hex')}`, fixture.populated.tenant.slug];
    const failures: string[] = [];
    for (const [index, { name, templates }] of operations.entries()) {
      for (const template of everyNth(templates, index, STEP)) {
        const requests = slugs.map(
          (slug) => () => send(outsider, template.build(slug, ownIdentifier), [slug]),
        );
        failures.push(...(await differences(name, requests, [403, 404])));
      }
    }
    expect(failures).toEqual([]);
  });

  it('for an id of another tenant and an unknown id, to an administrator of both tenants', async () => {
    const { populated, users } = fixture;
    const failures: string[] = [];
    // A slug is not an id, and the number of attempts to change it is limited.
    const compared = slotsWhere(({ resource }) => resource !== 'slug');
    for (const { name, template, slot } of compared) {
      const caller = CALLER_OVERRIDES[name] ? users[CALLER_OVERRIDES[name]] : users.administrator;
      const requests = [unknownIdentifier(slot.resource), identifierIn(other, slot.resource)].map(
        (id) => () => {
          const request = template.build(populated.tenant.slug, (one) =>
            one === slot ? id : ownIdentifier(one),
          );
          return send(caller, request, [id]);
        },
      );
      failures.push(...(await differences(`${name} ${slot.field}`, requests, [200, 400, 404])));
    }
    expect(failures).toEqual([]);
    expect(compared.length).toBeGreaterThan(sized(50, 80));
  });

  it.each(GUEST_KINDS)('for a hidden id and an unknown id, to guests %s', async (what) => {
    const { populated, guests } = fixture;
    const failures: string[] = [];
    const compared = slotsWhere((one) => hiddenIdentifiers(one, fixture).length > 0);
    // In `npm test`, each kind of guest calls a third of the operations.
    for (const { name, template, slot } of everyNth(
      compared,
      GUEST_KINDS.indexOf(what),
      GUEST_KINDS.length,
    )) {
      const requests = [newId(), ...hiddenIdentifiers(slot, fixture)].map((id) => () => {
        const request = template.build(populated.tenant.slug, (one) =>
          one === slot ? id : visibleIdentifier(one, fixture),
        );
        return send(guests[what], request, [id]);
      });
      failures.push(...(await differences(`${name} ${slot.field}`, requests, [200, 400, 403, 404])));
    }
    expect(failures).toEqual([]);
  });

  it('for a document confidential to others and an unknown one, to an administrator', async () => {
    const administrator = await fixture.populated.tenant.as('administrator');
    const hidden = [
      identifierIn(fixture.populated, 'confidentialDocument'),
      identifierIn(fixture.populated, 'secretInFile'),
    ];
    const failures: string[] = [];
    // Managers of access lists can find confidential documents in these operations.
    const compared = slotsWhere(
      ({ resource }, { name }) =>
        !/ConfidentialUsers?$/.test(name) && /document/i.test(resource) && !/type/i.test(resource),
    );
    for (const { name, template, slot } of compared) {
      const requests = [newId(), ...hidden].map((id) => () => {
        const request = template.build(fixture.populated.tenant.slug, (one) =>
          one === slot ? id : ownIdentifier(one),
        );
        return send(administrator, request, [id]);
      });
      failures.push(...(await differences(`${name} ${slot.field}`, requests, [200, 400, 404])));
    }
    expect(failures).toEqual([]);
  });

  it.each(['accept', 'decline'])(
    'for an unknown invitation and an unusable one, when the user tries to %s it',
    async (answer) => {
      const { populated, administrator, users } = fixture;
      const { tenant } = populated;
      const invited = await tenant.nonMember();
      const { email } = invited;
      const secrets = [unknownIdentifier('secret')];
      for (const status of ['Accepted', 'Declined', 'Revoked', 'Expired'] as const)
        secrets.push((await saveInvitation(tenant, administrator, { email, status })).secret);
      const expired = { email, expiresAt: `now() - interval '1 second'` };
      secrets.push((await saveInvitation(tenant, administrator, expired)).secret);
      secrets.push((await saveInvitation(tenant, administrator)).secret);
      const otherAdministrator = users.administrator.inTenant(other.tenant);
      secrets.push((await saveInvitation(other.tenant, otherAdministrator, { email })).secret);

      const requestWith = (slug: string, secret: string) => () =>
        send(
          invited,
          {
            method: 'POST',
            path: `/api/v1/t/${slug}/invitations/${answer}`,
            body: JSON.stringify({ secret }),
            contentType: 'application/json',
          },
          [slug, secret],
        );
      const requests = secrets.map((secret) => requestWith(tenant.slug, secret));
      requests.push(requestWith(`t-${randomBytes(8).toString('hex')}`, secrets[0] ?? ''));
      expect(await differences(answer, requests, [404])).toEqual([]);
    },
  );
});
