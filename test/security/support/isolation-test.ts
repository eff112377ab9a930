import assert from 'node:assert/strict';
import { type Server } from 'node:http';
import { expect } from '@jest/globals';
import { type Actor } from '../../support/actor.js';
import { type TestService } from '../../support/service/service.js';
import {
  type PopulatedTenant,
  type CrossTenantUsers,
  UUID,
  idsIn,
  populateTenant,
  createCrossTenantUsers,
} from './populated-tenant.js';
import { type Slot } from './identifier-slot.js';
import {
  type ApiResponse,
  ConformanceClient,
  type ApiRequest,
  normalizedResponse,
  mapConcurrently,
} from './conformance-client.js';
import { type RequestTemplate, type TenantOperation, tenantOperations } from './tenant-operations.js';
import { CALLER_OVERRIDES, unknownIdentifier } from './operation-overrides.js';

/** The instance under test. `service` prepares its data: another service on the same database, or the instance itself. */
export interface IsolationFixture {
  readonly service: TestService;
  readonly url: string;
  readonly server: Server;
  stop(): Promise<void>;
}

export interface Attempt {
  /** Description for failure messages. */
  readonly what: string;
  readonly run: () => Promise<void>;
}

interface RequestOptions {
  readonly token: string | null;
  /** The tenant of the request; by default the own tenant. */
  readonly slug?: string;
  /** Identifiers to send instead of those of the own tenant. */
  readonly instead?: ReadonlyMap<Slot, string>;
}

/**
 * Two tenants with the same kinds of resources. The tests send requests to the own tenant and check that no response
 * reveals anything of the other tenant, and that nothing in the other tenant changes.
 */
export class IsolationTest {
  private constructor(
    private readonly fixture: IsolationFixture,
    readonly client: ConformanceClient,
    readonly operations: readonly TenantOperation[],
    readonly users: CrossTenantUsers,
    readonly own: PopulatedTenant,
    readonly other: PopulatedTenant,
    /** An administrator of the other tenant only. */
    readonly foreignAdministrator: Actor,
    /** Ids that exist only in the other tenant. No response of the own tenant may contain them. */
    private readonly foreign: ReadonlySet<string>,
  ) {}

  static async create(fixture: IsolationFixture): Promise<IsolationTest> {
    const { service } = fixture;
    const users = await createCrossTenantUsers(service);
    const own = await populateTenant(await service.tenant(), users);
    const other = await populateTenant(await service.tenant(), users);
    const foreignAdministrator = await other.tenant.as('administrator');
    const known = await idsIn(own.tenant);
    const foreign = [...(await idsIn(other.tenant))].filter((id) => !known.has(id));
    const client = new ConformanceClient(fixture.url, fixture.server, service.conformance);
    const operations = tenantOperations(service);
    return new IsolationTest(
      fixture,
      client,
      operations,
      users,
      own,
      other,
      foreignAdministrator,
      new Set(foreign),
    );
  }

  async stop(): Promise<void> {
    this.client.stop();
    await this.fixture.stop();
  }

  get issuer() {
    return this.fixture.service.issuer;
  }

  /** A user who may call the operation in both tenants. */
  callerOf({ name }: TenantOperation): Actor {
    return this.users[CALLER_OVERRIDES[name] ?? 'administrator'];
  }

  /** Sends a request made from the template. `text` is the normalized response, for comparisons. */
  async request(
    template: RequestTemplate,
    { token, slug, instead }: RequestOptions,
  ): Promise<{ response: ApiResponse; text: string }> {
    const fill = (slot: Slot) => instead?.get(slot) ?? identifierIn(this.own, slot.resource);
    const apiRequest = template.build(slug ?? this.own.tenant.slug, fill);
    const response = await this.send({ ...apiRequest, token }, [...(instead?.values() ?? [])]);
    return { response, text: normalizedResponse(response, [...(instead?.values() ?? [])]) };
  }

  /**
   * Sends a request and checks that the response reveals nothing of the other tenant.
   *
   * @param named identifiers that the request itself contains; the response may repeat them
   */
  async send(request: ApiRequest, named: readonly string[] = []): Promise<ApiResponse> {
    const response = await this.client.send(request);
    const content = JSON.stringify(response.headers) + response.text;
    const leaked = (content.match(UUID) ?? []).filter((id) => this.foreign.has(id) && !named.includes(id));
    assert.deepEqual(leaked, [], 'contains ids of the other tenant');
    const { slug } = this.other.tenant;
    assert.ok(named.includes(slug) || !content.includes(slug), 'contains the slug of the other tenant');
    return response;
  }

  foreignIdentifiers(slots: readonly Slot[]): Map<Slot, string> {
    return new Map(slots.map((slot) => [slot, identifierIn(this.other, slot.resource)]));
  }

  /** Returns one message for each failed attempt. */
  async failures(attempts: readonly Attempt[]): Promise<string[]> {
    const failures = await mapConcurrently(attempts, async ({ what, run }) => {
      try {
        await run();
        return [];
      } catch (error) {
        return [`${what}: ${(error as Error).message}`];
      }
    });
    return failures.flat();
  }

  /** Expects that all attempts pass and that none of them writes anything to either tenant. */
  async expectRefused(attempts: readonly Attempt[]): Promise<void> {
    const before = await this.fingerprints();
    expect(attempts.length).toBeGreaterThan(10);
    expect(await this.failures(attempts)).toEqual([]);
    expect(await this.fingerprints()).toEqual(before);
  }

  /** Fingerprints of all rows of both tenants, their rows in the table `tenants`, and their access versions. */
  async fingerprints(): Promise<Record<'own' | 'other' | 'tenants' | 'versions', unknown>> {
    const { own, other } = this;
    const ids = [own.tenant.id, other.tenant.id];
    return {
      own: await own.tenant.fingerprint(),
      other: await other.tenant.fingerprint(),
      tenants: await this.fixture.service.query('SELECT * FROM tenants WHERE id = ANY ($1) ORDER BY id', [
        ids,
      ]),
      versions: [await own.tenant.accessVersion(), await other.tenant.accessVersion()],
    };
  }
}

export function unknownIdentifiers(slots: readonly Slot[]): Map<Slot, string> {
  return new Map(slots.map((slot) => [slot, unknownIdentifier(slot.resource)]));
}

export function identifierIn({ identifiers }: PopulatedTenant, name: string): string {
  const identifier = identifiers[name];
  if (identifier === undefined) throw new Error(`populateTenant() creates no ${name}`);
  return identifier;
}
