import { expect, it } from '@jest/globals';
import { type Test } from 'supertest';
import { type Actor } from '../actor.js';
import { expectProblem } from '../expect-problem.js';

export interface ConditionalWrite {
  readonly actor: () => Actor;
  /** Path of the resource: HEAD returns its entity tag. */
  readonly path: () => string | Promise<string>;
  /** Sends the PUT or DELETE under test. */
  readonly send: (actor: Actor, path: string) => Test;
  readonly success: 200 | 204;
}

/**
 * Tests of If-Match and If-None-Match (RFC 9110, 13.1) for a PUT or DELETE of a resource with an entity tag.
 * test/common/entity-tag-spec.ts has all forms of the headers.
 */
export function conditionalWrites({ actor, path: pathOf, send, success }: ConditionalWrite): void {
  it('returns 412 unless If-Match has the current entity tag and If-None-Match has not', async () => {
    const { tenant } = actor();
    const path = await pathOf();
    const { etag: tag = '' } = (await actor().send('head', path)).headers;
    const before = await tenant.fingerprint();
    for (const header of ['"other"', `W/${tag}`, '"one", "two"', tag.slice(1, -1), ''])
      expectProblem(await send(actor(), path).set('If-Match', header), 'request.precondition-failed');
    for (const header of ['*', tag, `"other", W/${tag}`])
      expectProblem(await send(actor(), path).set('If-None-Match', header), 'request.precondition-failed');
    expect(await tenant.fingerprint()).toEqual(before);
    const accepted = send(actor(), path).set('If-Match', `"other", W/"weak" , ${tag}`);
    expect((await accepted.set('If-None-Match', '"other"')).status).toBe(success);
  });
}
