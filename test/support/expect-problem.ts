import { expect } from '@jest/globals';
import { PROBLEMS, type ProblemCode } from '../../src/common/messages/problems.js';

/** Expects exactly this problem: status, media type, the five members, and for a 400 the paths in `errors`. */
export function expectProblem(
  response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly body: unknown;
  },
  code: ProblemCode,
  errorPaths?: string[],
): void {
  const { status, title } = PROBLEMS[code];
  expect({ status: response.status, type: (response.body as { type?: string }).type }).toEqual({
    status,
    type: `/problems/${code}`,
  });
  expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  const body = response.body as Record<string, unknown>;
  expect(body).toMatchObject({ title: title.en, status });
  expect(typeof body.detail).toBe('string');
  expect(body.instance).toBe(`urn:uuid:${String(response.headers['x-request-id'])}`);
  expect(Object.keys(body).sort()).toEqual(
    ['detail', 'instance', 'status', 'title', 'type', ...(status === 400 ? ['errors'] : [])].sort(),
  );
  if (status === 400 && errorPaths)
    expect(Object.keys(body.errors as object).sort()).toEqual([...errorPaths].sort());
}
