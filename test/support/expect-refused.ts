import { type Test } from 'supertest';
import { type ProblemCode } from '../../src/common/messages/problems.js';
import { expectProblem } from './expect-problem.js';
import { type TestTenant } from './tenant.js';

type Answer = Parameters<typeof expectProblem>[0];

/**
 * Expects exactly this problem, and that the request writes nothing.
 *
 * @param request is sent here, after the first look at the tables: a request of supertest, which is sent when it is
 * awaited, or a function that sends it
 */
export async function expectRefused(
  tenant: TestTenant,
  request: Test | (() => PromiseLike<Answer>),
  code: ProblemCode,
  errorPaths?: string[],
): Promise<void> {
  const work = typeof request === 'function' ? request : () => request;
  expectProblem(await tenant.expectNoChange<Answer>(work), code, errorPaths);
}
