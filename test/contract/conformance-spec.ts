import { beforeAll, describe, expect, it } from '@jest/globals';
import { type CheckedResponse, type Conformance } from './conformance.js';
import { service } from '../support/service/shared-service.js';

const ID = '0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d';
const URL = '/api/v1/t/acme/files';

/** A valid response of ListFiles. */
const GOOD: CheckedResponse = {
  status: 200,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': ID,
    ratelimit: '"caller";r=99;t=1',
    'ratelimit-policy': '"caller";q=100;w=10',
  },
  body: {
    items: [
      {
        id: ID,
        fileTypeId: ID,
        number: '1',
        name: 'One',
        status: 'Open',
        createdAt: '2026-11-20T08:15:30.123Z',
        updatedAt: '2026-11-20T08:15:30.123Z',
        closedAt: null,
      },
    ],
    nextCursor: null,
  },
};

const PROBLEM: CheckedResponse = {
  status: 403,
  headers: {
    'content-type': 'application/problem+json; charset=utf-8',
    'content-language': 'en',
    'x-request-id': ID,
  },
  body: { type: '/problems/permission.missing', title: 'x', status: 403, detail: 'x', instance: 'x' },
};

describe('Conformance', () => {
  let conformance: Conformance;
  beforeAll(async () => {
    conformance = service.conformance;
  });

  const withFile = (changes: object): CheckedResponse => {
    const { items } = GOOD.body as { items: object[] };
    return { ...GOOD, body: { items: [{ ...items[0], ...changes }], nextCursor: null } };
  };

  it('accepts documented responses', () => {
    conformance.check('get', `${URL}?limit=1`, GOOD);
    conformance.check('get', URL, PROBLEM);
    conformance.check('head', URL, { ...GOOD, body: undefined });
    conformance.check('delete', `${URL}/${ID}`, {
      ...GOOD,
      status: 204,
      body: undefined,
      headers: { ...GOOD.headers, 'content-type': undefined },
    });
  });

  it.each<[string, CheckedResponse, RegExp]>([
    [
      'a status that is not listed',
      { ...GOOD, status: 202 },
      /ListFiles answered 202, which the OpenAPI document does not list/,
    ],
    [
      'another media type',
      { ...GOOD, headers: { ...GOOD.headers, 'content-type': 'text/html' } },
      /media type text\/html is none of application\/json/,
    ],
    ['an undeclared member', withFile({ tenantId: ID }), /must NOT have additional properties: tenantId/],
    ['a missing member', withFile({ closedAt: undefined }), /must have required property 'closedAt'/],
    ['a member of another type', withFile({ number: 1 }), /items\/0\/number must be string/],
    ['null in a member that is not nullable', withFile({ name: null }), /items\/0\/name must be string/],
    [
      'a value that is not in the enumeration',
      withFile({ status: 'Gone' }),
      /items\/0\/status must be equal to one of/,
    ],
    [
      'a timestamp without milliseconds',
      withFile({ createdAt: '2026-11-20T08:15:30Z' }),
      /createdAt must match format "date-time"/,
    ],
    [
      'a timestamp that is not UTC',
      withFile({ createdAt: '2026-11-20T08:15:30.123+01:00' }),
      /createdAt must match format "date-time"/,
    ],
    [
      'a missing header field',
      { ...GOOD, headers: { ...GOOD.headers, ratelimit: undefined } },
      /RateLimit is missing/,
    ],
    [
      'an undeclared member of a problem',
      { ...PROBLEM, body: { ...(PROBLEM.body as object), code: 'x' } },
      /additional properties: code/,
    ],
    [
      'an undeclared problem type',
      { ...PROBLEM, body: { ...(PROBLEM.body as object), type: '/problems/file.closed' } },
      /file.closed is not among/,
    ],
  ])('finds %s', (_, answer, message) => {
    expect(() => conformance.check('get', URL, answer)).toThrow(message);
  });

  it('finds a body in a response without content', () => {
    const answer = { ...GOOD, status: 204 };
    expect(() => conformance.check('delete', `${URL}/${ID}`, answer)).toThrow(
      /it has a body of type application\/json/,
    );
  });

  it('accepts the documented problems for paths and methods without an operation', () => {
    const notFound = {
      ...PROBLEM,
      status: 404,
      body: { ...(PROBLEM.body as object), type: '/problems/route.not-found', status: 404 },
    };
    conformance.check('get', '/api/v1/t/acme/nothing', notFound);
    const refused = {
      ...PROBLEM,
      status: 405,
      body: { ...(PROBLEM.body as object), type: '/problems/route.method-not-allowed', status: 405 },
    };
    expect(() => conformance.check('patch', URL, refused)).toThrow(/Allow is missing/);
    conformance.check('patch', URL, { ...refused, headers: { ...refused.headers, allow: 'GET' } });
    expect(() => conformance.check('get', '/api/v1/t/acme/nothing', PROBLEM)).toThrow(
      /GET \/api\/v1\/t\/acme\/nothing answered 403/,
    );
  });
});
