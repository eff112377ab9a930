import { expect, it } from '@jest/globals';
import { type Test } from 'supertest';
import { type Actor } from '../actor.js';
import { expectProblem } from '../expect-problem.js';
import { type TestTenant } from '../tenant.js';

export interface ConditionalWrite {
  readonly tenant: () => TestTenant;
  readonly actor: () => Actor;
  /** Makes the thing, and gives its path and current entity tag. */
  readonly make: () => Promise<{ path: string; tag: string }>;
  /** The write under test, to the thing at the path. */
  readonly send: (actor: Actor, path: string) => Test;
  readonly success: 200 | 204;
}

/** If-Match (RFC 9110, 13.1.1) on a PUT or DELETE of a thing with an entity tag. */
export function conditionalWrites({ tenant, actor, make, send, success }: ConditionalWrite): void {
  it.each([
    ['the current entity tag', (tag: string) => tag],
    ['*', () => '*'],
    ['a list that has it', (tag: string) => `"other", W/"weak" , ${tag}`],
  ])(`${success}: with an If-Match of %s`, async (_, header) => {
    const { path, tag } = await make();
    expect((await send(actor(), path).set('If-Match', header(tag))).status).toBe(success);
  });

  it.each([
    ['another entity tag', () => '"other"'],
    ['its weak form', (tag: string) => `W/${tag}`],
    ['a list that lacks it', () => '"one", "two"'],
    ['the entity tag without quotes', (tag: string) => tag.slice(1, -1)],
    ['nothing', () => ''],
  ])('412: with an If-Match of %s', async (_, header) => {
    const { path, tag } = await make();
    const before = await tenant().fingerprint();
    expectProblem(await send(actor(), path).set('If-Match', header(tag)), 'request.precondition-failed');
    expect(await tenant().fingerprint()).toEqual(before);
  });
}
