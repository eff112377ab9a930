import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Test } from 'supertest';
import { expectProblem } from '../expect-problem.js';
import { type TestTenant } from '../tenant.js';

export interface OperationWithId {
  readonly tenant: () => TestTenant;
  /** The operation on the thing of the id, by somebody who has the permission. */
  readonly send: (id: string) => Test;
  /** Id of such a thing in another tenant. */
  readonly idInOtherTenant: () => Promise<string>;
}

/** An id that is malformed, unknown or of another tenant: one and the same 404. */
export function unknownIds({ tenant, send, idInOtherTenant }: OperationWithId): void {
  it('404: for an id that is unknown, malformed, or of another tenant, all alike', async () => {
    const others = await idInOtherTenant();
    const before = await tenant().fingerprint();
    const bodies = new Set<string>();
    const malformed = [
      '1',
      'x',
      others.replaceAll('-', ''),
      `%7B${others}%7D`,
      `${others}0`,
      '%27',
      '%00',
      'null',
    ];
    for (const id of [randomUUID(), others, ...malformed]) {
      const response = await send(id);
      expectProblem(response, 'resource.not-found');
      bodies.add(JSON.stringify({ ...(response.body as object), instance: '' }));
    }
    expect(bodies.size).toBe(1);
    expect(await tenant().fingerprint()).toEqual(before);
  });
}
