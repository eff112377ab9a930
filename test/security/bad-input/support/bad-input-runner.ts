import http from 'node:http';
import { expect } from '@jest/globals';
import { readUrl } from '../../../../src/common/url.js';
import { PROBLEMS, type ProblemCode, isProblemCode } from '../../../../src/common/messages/problems.js';
import { type Conformance } from '../../../contract/conformance.js';
import { type TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { type RawResponse, exchange, jsonOf } from '../../support/exchange.js';
import { isDecodable } from './described-operations.js';

/** Part of many invalid values. A problem must not repeat it. */
export const ECHO_MARKER = 'GEHEIM';

export type Expected =
  | {
      readonly refused: ProblemCode | readonly ProblemCode[];
      /** The only path in `errors`, for 400. */
      readonly at?: string;
      readonly allow?: string;
    }
  | { readonly accepted: readonly number[]; readonly allow?: string };

/** An invalid request, or an unusual but valid one, with the expected response. */
export interface InputCase {
  readonly kind: string;
  readonly operation: string;
  readonly what: string;
  readonly method: string;
  /** Path and query, as they are sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly expected: Expected;
}

const CONCURRENCY = 16;
const MAX_PRINTED_FAILURES = 40;

/** Internals of the service that a response must not contain: stack traces, error classes, SQL, product names. */
const INTERNALS = [
  /\bat \S+ \(|:\d+:\d+\)|node_modules|\/(?:src|dist)\/|\.[jt]s:\d/,
  /\b(?:Type|Syntax|Reference|Range)Error\b|Unexpected token|ECONN|ENOENT|\bundefined\b|\[object /,
  /\bSELECT\b|\bINSERT INTO\b|\bDELETE FROM\b|\brelation "|\bconstraint "|\bpg_/,
  /typeorm|nestjs|express\.js|postgres/i,
];

/** Sends requests concurrently and compares each response with the expected one and with the OpenAPI document. */
export class BadInputRunner {
  /** The number of requests sent. */
  total = 0;
  /** The cases sent to each operation, as `kind: what`. */
  readonly sentCases = new Map<string, Set<string>>();
  private readonly agent = new http.Agent({ keepAlive: true, maxSockets: CONCURRENCY });

  constructor(private readonly service: TestService) {}

  /** Returns one message for each unexpected response. */
  async failures(cases: readonly InputCase[], width = CONCURRENCY): Promise<string[]> {
    const failures: string[] = [];
    const left = cases.values();
    const worker = async () => {
      for (const one of left) failures.push(...(await this.try(one)));
    };
    await Promise.all(Array.from({ length: width }, worker));
    return failures.length > MAX_PRINTED_FAILURES
      ? [...failures.slice(0, MAX_PRINTED_FAILURES), `and ${failures.length - MAX_PRINTED_FAILURES} more`]
      : failures;
  }

  /** Expects the expected responses, and that no request writes anything to the tenant. */
  async expectNothingWritten(tenant: TestTenant, cases: readonly InputCase[]): Promise<void> {
    const before = await tenant.fingerprint();
    const { total } = this;
    expect(await this.failures(cases)).toEqual([]);
    expect(await tenant.fingerprint()).toEqual(before);
    expect(this.total - total).toBe(cases.length);
  }

  private async try(one: InputCase): Promise<string[]> {
    this.total += 1;
    const sentCases = this.sentCases.get(one.operation) ?? new Set();
    this.sentCases.set(one.operation, sentCases.add(`${one.kind}: ${one.what}`));
    let answer: RawResponse;
    try {
      answer = await this.send(one);
    } catch (error) {
      return [failureText(one, `no answer: ${String(error)}`)];
    }
    return [...responseFailures(one, answer), ...undocumented(one, answer, this.service.conformance)].map(
      (failure) => failureText(one, `${failure}; it answered ${answer.status} ${answer.text.slice(0, 200)}`),
    );
  }

  send({
    method,
    target,
    headers,
    body,
  }: Pick<InputCase, 'method' | 'target' | 'headers' | 'body'>): Promise<RawResponse> {
    const length = 'Transfer-Encoding' in headers ? {} : { 'Content-Length': Buffer.byteLength(body ?? '') };
    const all = { ...(body !== undefined && length), ...headers };
    return exchange(this.service.url, this.agent, method, target, all, body);
  }

  stop(): void {
    this.agent.destroy();
  }
}

function failureText({ kind, operation, what, method, target }: InputCase, failure: string): string {
  return `${operation} (${kind}, ${what}; ${method} ${target.slice(0, 200)}): ${failure}`;
}

export function responseFailures({ method, expected, headers }: InputCase, answer: RawResponse): string[] {
  const { allow } = expected;
  const failures: string[] = [];
  if (allow !== undefined && answer.headers.allow !== allow) failures.push(`Allow is not ${allow}`);
  if ('accepted' in expected) {
    if (!expected.accepted.includes(answer.status)) failures.push(`not ${expected.accepted.join(' or ')}`);
    return failures;
  }
  const codes = [expected.refused].flat();
  const statuses = codes.map((code) => PROBLEMS[code].status as number);
  if (!statuses.includes(answer.status)) return [...failures, `not ${codes.join(' or ')}`];
  if (answer.headers['content-type'] !== 'application/problem+json; charset=utf-8')
    failures.push(`its media type is ${answer.headers['content-type'] ?? 'missing'}`);
  if (method === 'HEAD') return failures;
  return [...failures, ...problemFailures(answer, codes, expected.at, headers.Authorization)];
}

function problemFailures(
  { status, headers, text }: RawResponse,
  codes: readonly ProblemCode[],
  at: string | undefined,
  authorization = 'Bearer -',
): string[] {
  let problem: Record<string, unknown>;
  try {
    problem = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return ['it is not JSON'];
  }
  const failures: string[] = [];
  const code = String(problem.type).replace('/problems/', '');
  if (!isProblemCode(code)) return [`${code} is not in the catalogue`];
  if (!codes.includes(code)) failures.push(`not ${codes.join(' or ')}`);
  const members = ['detail', 'instance', 'status', 'title', 'type', ...(status === 400 ? ['errors'] : [])];
  if (Object.keys(problem).sort().join() !== members.sort().join())
    failures.push(`its members are ${Object.keys(problem).join()}`);
  const { title } = PROBLEMS[code];
  if (problem.title !== title.en || problem.status !== status)
    failures.push('title or status differ from the catalogue');
  if (problem.instance !== `urn:uuid:${headers['x-request-id']}`)
    failures.push('instance is not the request id');
  const errors = (problem.errors ?? {}) as Record<string, string[]>;
  if (at !== undefined && Object.keys(errors).join() !== at)
    failures.push(`errors are not at ${at} but at ${Object.keys(errors).join() || 'nothing'}`);
  if (Object.values(errors).some((list) => list.length === 0)) failures.push('an entry of errors is empty');
  const token = authorization.replace(/^Bearer /, '');
  if (
    INTERNALS.some((inside) => inside.test(text)) ||
    (token.length > 20 && text.includes(token)) ||
    text.includes(ECHO_MARKER)
  )
    failures.push('it contains internals, the token or sent values');
  return failures;
}

/** The deviations of a response from the OpenAPI document. Paths that a URL parser would change are not checked. */
function undocumented(
  { method, target }: InputCase,
  response: RawResponse,
  conformance: Conformance,
): string[] {
  try {
    const path = target.split('?', 1)[0] ?? '';
    if (method === 'OPTIONS' || !isDecodable(path) || !isNormal(path)) return [];
    conformance.check(method.toLowerCase(), path, { ...response, body: jsonOf(response) });
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Whether a URL parser leaves the path unchanged. */
function isNormal(path: string): boolean {
  return readUrl(path, 'http://localhost')?.pathname === path;
}
