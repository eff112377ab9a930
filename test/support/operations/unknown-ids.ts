import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Test } from 'supertest';
import { expectProblem } from '../expect-problem.js';
import { type TestTenant } from '../tenant.js';

export interface OperationWithId {
  readonly tenant: () => TestTenant;
  /** Sends the operation for the id as a permitted caller. */
  readonly send: (id: string) => Test;
  readonly idInOtherTenant: () => Promise<string>;
}

/** Tests that malformed ids, unknown ids and ids of other tenants give the same 404. */
export function unknownIds({ tenant, send, idInOtherTenant }: OperationWithId): void {
  it('returns 404 for an unknown id, a malformed id and an id of another tenant, all with one answer', async () => {
    const foreign = await idInOtherTenant();
    const before = await tenant().fingerprint();
    const bodies = new Set<string>();
    const malformed = [
      '1',
      'x',
      foreign.replaceAll('-', ''),
      `%7B${foreign}%7D`,
      `${foreign}0`,
      '%27',
      '%00',
      'null',
    ];
    for (const id of [randomUUID(), foreign, ...malformed]) {
      const response = await send(id);
      expectProblem(response, 'resource.not-found');
      bodies.add(JSON.stringify({ ...(response.body as object), instance: '' }));
    }
    expect(bodies.size).toBe(1);
    expect(await tenant().fingerprint()).toEqual(before);
  });
}
