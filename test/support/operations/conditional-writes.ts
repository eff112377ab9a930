import { expect, it } from '@jest/globals';
import { type Test } from 'supertest';
import { type Actor } from '../actor.js';
import { expectProblem } from '../expect-problem.js';
import { type TestTenant } from '../tenant.js';

export interface ConditionalWrite {
  readonly tenant: () => TestTenant;
  readonly actor: () => Actor;
  /** Creates the resource; returns its path and current entity tag. */
  readonly make: () => Promise<{ path: string; tag: string }>;
  /** Sends the PUT or DELETE under test to the path. */
  readonly send: (actor: Actor, path: string) => Test;
  readonly success: 200 | 204;
}

/** Tests of If-Match and If-None-Match (RFC 9110, 13.1) for a PUT or DELETE of a resource with an entity tag. */
export function conditionalWrites({ tenant, actor, make, send, success }: ConditionalWrite): void {
  it.each([
    ['the current entity tag', (tag: string) => tag],
    ['*', () => '*'],
    ['a list that contains it', (tag: string) => `"other", W/"weak" , ${tag}`],
  ])(`returns ${success} for an If-Match with %s`, async (_, header) => {
    const { path, tag } = await make();
    expect((await send(actor(), path).set('If-Match', header(tag))).status).toBe(success);
  });

  it('returns 412 for an If-Match without the current entity tag', async () => {
    const { path, tag } = await make();
    const before = await tenant().fingerprint();
    for (const header of ['"other"', `W/${tag}`, '"one", "two"', tag.slice(1, -1), ''])
      expectProblem(await send(actor(), path).set('If-Match', header), 'request.precondition-failed');
    expect(await tenant().fingerprint()).toEqual(before);
  });

  it('returns 412 for an If-None-Match with * or the entity tag of the resource', async () => {
    const { path, tag } = await make();
    const before = await tenant().fingerprint();
    for (const header of ['*', tag, `"other", W/${tag}`])
      expectProblem(await send(actor(), path).set('If-None-Match', header), 'request.precondition-failed');
    expect(await tenant().fingerprint()).toEqual(before);
    expect((await send(actor(), path).set('If-None-Match', '"other"')).status).toBe(success);
  });
}
