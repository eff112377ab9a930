import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { sized } from '../../support/exhaustive.js';
import { SeededRandom } from '../../support/seeded-random.js';
import {
  type PopulatedTenant,
  UUID,
  type CrossTenantUsers,
  idsIn,
  rowsOf,
  populateTenant,
  createCrossTenantUsers,
} from '../support/populated-tenant.js';
import { type Slot } from '../support/identifier-slot.js';
import {
  type ApiResponse,
  ConformanceClient,
  type ApiRequest,
  mapConcurrently,
} from '../support/conformance-client.js';
import { startIsolationFixture } from './support/isolation-fixtures.js';
import { tenantOperations } from '../support/tenant-operations.js';
import { type IsolationFixture, identifierIn } from '../support/isolation-test.js';
import { CALLER_OVERRIDES } from '../support/operation-overrides.js';

const TENANTS = sized(8, 50);
const REQUESTS = sized(250, 2000);
/** Determines the requests, their callers and their order. */
const SEED = process.env.ISOLATION_SEED ?? '20261122';
/** Matches the slug of a test tenant; the name of every resource contains it. */
const SLUG = /\bt-[0-9a-f]{16}\b/g;

interface Step {
  readonly what: string;
  readonly populated: PopulatedTenant;
  readonly request: ApiRequest;
  /** Identifiers of another tenant that the request contains. */
  readonly foreign: readonly string[];
}

// Takes seconds on an idle machine, and minutes beside other tests.
jest.setTimeout(600_000);

describe('Tenant isolation of many tenants on a pool of three connections', () => {
  let fixture: IsolationFixture;
  let client: ConformanceClient;
  let users: CrossTenantUsers;
  let populatedTenants: PopulatedTenant[];
  /** The slug of the tenant that an id belongs to; null for an id in several tenants, such as that of a user. */
  const slugOf = new Map<string, string | null>();
  beforeAll(async () => {
    fixture = await startIsolationFixture({ databasePoolSize: 3 });
    const { service } = fixture;
    client = new ConformanceClient(fixture.url, fixture.server, service.conformance, 24);
    users = await createCrossTenantUsers(service);
    populatedTenants = await mapConcurrently([...Array(TENANTS).keys()], async () =>
      populateTenant(await service.tenant(), users),
    );
    for (const { tenant } of populatedTenants)
      for (const id of await idsIn(tenant)) slugOf.set(id, slugOf.has(id) ? null : tenant.slug);
  });
  afterAll(async () => {
    client.stop();
    await fixture.stop();
  });

  /** Ids and slugs of other tenants in a text, except those that the request contained. */
  function foreignData(text: string, { tenant }: PopulatedTenant, named: readonly string[] = []): string[] {
    const ids = (text.match(UUID) ?? []).filter((id) => (slugOf.get(id) ?? tenant.slug) !== tenant.slug);
    const slugs = (text.match(SLUG) ?? []).filter((slug) => slug !== tenant.slug);
    return [...ids, ...slugs].filter((one) => !named.includes(one));
  }

  function steps(random: SeededRandom): Step[] {
    const operations = tenantOperations(fixture.service);
    return Array.from({ length: REQUESTS }, () => {
      const [populated, another] = [random.pick(populatedTenants), random.pick(populatedTenants)];
      const { name, templates, filterTemplates, page } = random.pick(operations);
      const { slug } = populated.tenant;
      const crossTenantUser = users[CALLER_OVERRIDES[name] ?? 'administrator'];
      const { token } = random.next() < 0.7 ? crossTenantUser : populated.member;
      if (page && random.next() < 0.5) {
        const request = { ...page(slug, ({ resource }) => identifierIn(populated, resource)), token };
        return { what: `a page of ${name}`, populated, request, foreign: [] };
      }
      const template = random.pick([...templates, ...filterTemplates]);
      const foreignSlot = random.next() < 0.2 ? random.pick(template.slots) : undefined;
      const foreign = foreignSlot ? [identifierIn(another, foreignSlot.resource)] : [];
      const fill = (slot: Slot) => identifierIn(slot === foreignSlot ? another : populated, slot.resource);
      return { what: name, populated, request: { ...template.build(slug, fill), token }, foreign };
    });
  }

  it('neither returns nor stores data of another tenant', async () => {
    const statuses: Record<number, number> = {};
    const failures = await mapConcurrently(
      steps(new SeededRandom(SEED)),
      async ({ what, populated, request, foreign }): Promise<string[]> => {
        const answer = await client.send(request);
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        const leaked = foreignData(JSON.stringify(answer.headers) + answer.text, populated, foreign);
        const isFailure = answer.status === 500 || answer.status === 401;
        return leaked.length > 0 || isFailure
          ? [`${what} in ${populated.tenant.slug}: ${answer.status} ${answer.text} ${leaked.join()}`]
          : [];
      },
      24,
    );
    expect({ seed: SEED, failures: failures.flat() }).toEqual({ seed: SEED, failures: [] });
    const succeeded = (statuses[200] ?? 0) + (statuses[201] ?? 0) + (statuses[204] ?? 0);
    expect(succeeded).toBeGreaterThan(REQUESTS / 2);
    for (const populated of populatedTenants) {
      const rows = await rowsOf(populated.tenant);
      expect(rows.filter((row) => foreignData(row, populated).length > 0)).toEqual([]);
    }
  });

  it('keeps the same Idempotency-Key of one user separate in each tenant', async () => {
    const create = ({ tenant }: PopulatedTenant): Promise<ApiResponse> =>
      client.send({
        method: 'POST',
        path: `/api/v1/t/${tenant.slug}/tags`,
        token: users.administrator.token,
        body: JSON.stringify({ name: 'In each tenant' }),
        contentType: 'application/json',
        headers: { 'Idempotency-Key': 'same-key' },
      });
    const idOf = ({ json }: ApiResponse) => (json as { id: string }).id;
    const twice = await mapConcurrently([...populatedTenants, ...populatedTenants], create, 24);
    expect(twice.filter(({ status }) => status !== 201)).toEqual([]);
    const ids = twice.map(idOf);
    expect(ids.slice(TENANTS)).toEqual(ids.slice(0, TENANTS));
    expect(new Set(ids).size).toBe(TENANTS);
  });
});
