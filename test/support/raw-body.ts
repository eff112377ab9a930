import { type Test } from 'supertest';

/**
 * Sends exactly these bytes and replaces a body that was set before. (`send` would append a string to that body and
 * convert a buffer to JSON.)
 */
export function withRawBody(test: Test, bytes: string | Buffer, contentType = 'application/json'): Test {
  const serialize = (() => bytes) as unknown as Parameters<Test['serialize']>[0];
  return test.set('Content-Type', contentType).serialize(serialize);
}
