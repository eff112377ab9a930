import assert from 'node:assert/strict';
import { type Server } from 'node:http';
import { expect } from '@jest/globals';
import { type Actor } from '../../support/actor.js';
import { type TestService } from '../../support/service/service.js';
import { type Settlement, type Wanderers, UUID, idsIn, settle, wanderers } from './settlement.js';
import { type Slot } from './slot.js';
import { type WallAnswer, WallClient, type WallRequest, comparable, severalAtATime } from './wall-client.js';
import { type Form, type WallOperation, wallOperations } from './wall-operations.js';
import { INVITED, unknownThing } from './wall-things.js';

/** The instance that is asked; the service is what it shares the database with, or the instance itself. */
export interface WallGround {
  readonly service: TestService;
  readonly url: string;
  readonly server: Server;
  stop(): Promise<void>;
}

/** One try, named so that a fault can be told from thousands of others. */
export interface Try {
  readonly what: string;
  readonly run: () => Promise<void>;
}

interface Question {
  readonly token: string | null;
  readonly slug?: string;
  /** What to name instead of the tenant's own thing. */
  readonly instead?: ReadonlyMap<Slot, string>;
}

/** Two tenants with the same things in them, and the people who try to get from one into the other. */
export class Wall {
  private constructor(
    private readonly ground: WallGround,
    readonly client: WallClient,
    readonly operations: readonly WallOperation[],
    readonly people: Wanderers,
    readonly own: Settlement,
    readonly other: Settlement,
    /** An administrator of the other tenant only. */
    readonly stranger: Actor,
    /** What must never be told to whoever asks in the own tenant. */
    private readonly foreign: ReadonlySet<string>,
  ) {}

  static async build(ground: WallGround): Promise<Wall> {
    const { service } = ground;
    const people = await wanderers(service);
    const own = await settle(await service.tenant(), people);
    const other = await settle(await service.tenant(), people);
    const stranger = await other.tenant.as('administrator');
    const known = await idsIn(own.tenant);
    const foreign = [...(await idsIn(other.tenant))].filter((id) => !known.has(id));
    const client = new WallClient(ground.url, ground.server, service.conformance);
    const operations = wallOperations(service);
    return new Wall(ground, client, operations, people, own, other, stranger, new Set(foreign));
  }

  async stop(): Promise<void> {
    this.client.stop();
    await this.ground.stop();
  }

  get issuer() {
    return this.ground.service.issuer;
  }

  /** Who may do the operation in either tenant, with something of their own there. */
  callerOf({ name }: WallOperation): Actor {
    return this.people[INVITED[name] ?? 'administrator'];
  }

  /** The answer, which speaks of nothing in the other tenant beyond what was named to it. */
  async ask(form: Form, { token, slug, instead }: Question): Promise<{ answer: WallAnswer; text: string }> {
    const fill = (slot: Slot) => instead?.get(slot) ?? thingIn(this.own, slot.thing);
    const request = form.build(slug ?? this.own.tenant.slug, fill);
    const answer = await this.send({ ...request, token }, [...(instead?.values() ?? [])]);
    return { answer, text: comparable(answer, [...(instead?.values() ?? [])]) };
  }

  async send(request: WallRequest, named: readonly string[] = []): Promise<WallAnswer> {
    const answer = await this.client.send(request);
    const said = JSON.stringify(answer.headers) + answer.text;
    const told = (said.match(UUID) ?? []).filter((id) => this.foreign.has(id) && !named.includes(id));
    assert.deepEqual(told, [], 'tells ids of the other tenant');
    const { slug } = this.other.tenant;
    assert.ok(named.includes(slug) || !said.includes(slug), 'tells something of the other tenant');
    return answer;
  }

  /** For slots, what stands there in the other tenant. */
  foreignIn(slots: readonly Slot[]): Map<Slot, string> {
    return new Map(slots.map((slot) => [slot, thingIn(this.other, slot.thing)]));
  }

  /** What is wrong; every try is made. */
  async faults(tries: readonly Try[]): Promise<string[]> {
    const faults = await severalAtATime(tries, async ({ what, run }) => {
      try {
        await run();
        return [];
      } catch (error) {
        return [`${what}: ${(error as Error).message}`];
      }
    });
    return faults.flat();
  }

  /** Makes all tries, none of which goes wrong or writes anything. */
  async expectRefused(tries: readonly Try[]): Promise<void> {
    const before = await this.prints();
    expect(tries.length).toBeGreaterThan(10);
    expect(await this.faults(tries)).toEqual([]);
    expect(await this.prints()).toEqual(before);
  }

  /** Every row of both tenants, and of what is kept of them outside. */
  async prints(): Promise<Record<'own' | 'other' | 'tenants', unknown>> {
    const { own, other } = this;
    const ids = [own.tenant.id, other.tenant.id];
    return {
      own: await own.tenant.fingerprint(),
      other: await other.tenant.fingerprint(),
      tenants: await this.ground.service.query('SELECT * FROM tenants WHERE id = ANY ($1) ORDER BY id', [
        ids,
      ]),
    };
  }
}

/** For slots, what stands there nowhere. */
export function unknownIn(slots: readonly Slot[]): Map<Slot, string> {
  return new Map(slots.map((slot) => [slot, unknownThing(slot.thing)]));
}

export function thingIn({ things }: Settlement, name: string): string {
  const thing = things[name];
  if (thing === undefined) throw new Error(`a settlement has no thing called ${name}`);
  return thing;
}
