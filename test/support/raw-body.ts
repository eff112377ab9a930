import { type Test } from 'supertest';

/**
 * Sends exactly these bytes, whatever body the request was given before. (`send` would add a text to such a body, and
 * make JSON of a buffer.)
 */
export function withRawBody(test: Test, bytes: string | Buffer, contentType = 'application/json'): Test {
  const serialize = (() => bytes) as unknown as Parameters<Test['serialize']>[0];
  return test.set('Content-Type', contentType).serialize(serialize);
}
