import { expect, it } from '@jest/globals';
import { type Actor } from '../actor.js';

/** Test of If-None-Match for a GET with an entity tag. test/common/entity-tag-spec.ts has all forms of the header. */
export function notModified(get: () => ReturnType<Actor['get']>): void {
  it('returns 304 for a current If-None-Match', async () => {
    const { etag = '' } = (await get()).headers;
    const response = await get().set('If-None-Match', etag);
    expect([response.status, response.text, response.headers.etag]).toEqual([304, '', etag]);
  });
}
