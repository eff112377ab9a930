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

/** The instance that is asked; the service is what it shares the database with, or the instance itself. */
export interface IsolationFixture {
  readonly service: TestService;
  readonly url: string;
  readonly server: Server;
  stop(): Promise<void>;
}

/** One try, named so that a failure can be told from thousands of others. */
export interface Attempt {
  readonly what: string;
  readonly run: () => Promise<void>;
}

interface Question {
  readonly token: string | null;
  readonly slug?: string;
  /** What to name instead of the tenant's own thing. */
  readonly instead?: ReadonlyMap<Slot, string>;
}

/** Two tenants with the same identifiers in them, and the users who try to get from one into the other. */
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
    /** What must never be told to whoever asks in the own tenant. */
    private readonly foreign: ReadonlySet<string>,
  ) {}

  static async build(fixture: IsolationFixture): Promise<IsolationTest> {
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

  /** Who may do the operation in either tenant, with something of their own there. */
  callerOf({ name }: TenantOperation): Actor {
    return this.users[CALLER_OVERRIDES[name] ?? 'administrator'];
  }

  /** The answer, which speaks of nothing in the other tenant beyond what was named to it. */
  async ask(
    template: RequestTemplate,
    { token, slug, instead }: Question,
  ): Promise<{ answer: ApiResponse; text: string }> {
    const fill = (slot: Slot) => instead?.get(slot) ?? identifierIn(this.own, slot.resource);
    const request = template.build(slug ?? this.own.tenant.slug, fill);
    const answer = await this.send({ ...request, token }, [...(instead?.values() ?? [])]);
    return { answer, text: normalizedResponse(answer, [...(instead?.values() ?? [])]) };
  }

  async send(request: ApiRequest, named: readonly string[] = []): Promise<ApiResponse> {
    const answer = await this.client.send(request);
    const said = JSON.stringify(answer.headers) + answer.text;
    const told = (said.match(UUID) ?? []).filter((id) => this.foreign.has(id) && !named.includes(id));
    assert.deepEqual(told, [], 'tells ids of the other tenant');
    const { slug } = this.other.tenant;
    assert.ok(named.includes(slug) || !said.includes(slug), 'tells something of the other tenant');
    return answer;
  }

  /** For slots, what stands there in the other tenant. */
  foreignIdentifiers(slots: readonly Slot[]): Map<Slot, string> {
    return new Map(slots.map((slot) => [slot, identifierIn(this.other, slot.resource)]));
  }

  /** What is wrong; every try is made. */
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

  /** Makes all attempts, none of which goes wrong or writes anything. */
  async expectRefused(attempts: readonly Attempt[]): Promise<void> {
    const before = await this.fingerprints();
    expect(attempts.length).toBeGreaterThan(10);
    expect(await this.failures(attempts)).toEqual([]);
    expect(await this.fingerprints()).toEqual(before);
  }

  /** Every row of both tenants, and of what is kept of them outside. */
  async fingerprints(): Promise<Record<'own' | 'other' | 'tenants', unknown>> {
    const { own, other } = this;
    const ids = [own.tenant.id, other.tenant.id];
    return {
      own: await own.tenant.fingerprint(),
      other: await other.tenant.fingerprint(),
      tenants: await this.fixture.service.query('SELECT * FROM tenants WHERE id = ANY ($1) ORDER BY id', [
        ids,
      ]),
    };
  }
}

/** For slots, what stands there nowhere. */
export function unknownIdentifiers(slots: readonly Slot[]): Map<Slot, string> {
  return new Map(slots.map((slot) => [slot, unknownIdentifier(slot.resource)]));
}

export function identifierIn({ identifiers }: PopulatedTenant, name: string): string {
  const resource = identifiers[name];
  if (resource === undefined) throw new Error(`a populated has no resource called ${name}`);
  return resource;
}
