import http from 'node:http';
import { readUrl } from '../../../../src/common/url.js';
import { PROBLEMS, type ProblemCode, isProblemCode } from '../../../../src/common/messages/problems.js';
import { type Conformance } from '../../../contract/conformance.js';
import { type TestService } from '../../../support/service/service.js';
import { isDecodable } from './described-operations.js';

/** Part of values that are sent: it must not come back. */
export const ECHO_MARKER = 'GEHEIM';

export type Expected =
  | {
      readonly refused: ProblemCode | readonly ProblemCode[];
      /** The only path that `errors` names, on 400. */
      readonly at?: string;
      readonly allow?: string;
    }
  | { readonly accepted: readonly number[]; readonly allow?: string };

/** A request that was made to be wrong, or looks so and is not, with what has to become of it. */
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

export interface InputResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

/** As many requests are under way at a time. */
const WIDTH = 16;
const TIMEOUT_MS = 120_000;
/** More than anybody reads. */
const MAX_SHOWN = 40;

/** What an answer must not have of the inside of the service. */
const INSIDE = [
  /\bat \S+ \(|:\d+:\d+\)|node_modules|\/(?:src|dist)\/|\.[jt]s:\d/,
  /\b(?:Type|Syntax|Reference|Range)Error\b|Unexpected token|ECONN|ENOENT|\bundefined\b|\[object /,
  /\bSELECT\b|\bINSERT INTO\b|\bDELETE FROM\b|\brelation "|\bconstraint "|\bpg_/,
  /typeorm|nestjs|express\.js|postgres/i,
];

/** Sends requests, several at a time, and holds each answer against what has to become of it. */
export class BadInputRunner {
  /** Requests sent. */
  total = 0;
  /** What was tried of each operation: `kind: what`. */
  readonly tried = new Map<string, Set<string>>();
  private readonly agent = new http.Agent({ keepAlive: true, maxSockets: WIDTH });

  constructor(private readonly service: TestService) {}

  /** A sentence for each answer that is not as it should be. */
  async failures(cases: readonly InputCase[], width = WIDTH): Promise<string[]> {
    const failures: string[] = [];
    const left = cases.values();
    const worker = async () => {
      for (const one of left) failures.push(...(await this.try(one)));
    };
    await Promise.all(Array.from({ length: width }, worker));
    return failures.length > MAX_SHOWN
      ? [...failures.slice(0, MAX_SHOWN), `and ${failures.length - MAX_SHOWN} more`]
      : failures;
  }

  private async try(one: InputCase): Promise<string[]> {
    this.total += 1;
    const tried = this.tried.get(one.operation) ?? new Set();
    this.tried.set(one.operation, tried.add(`${one.kind}: ${one.what}`));
    let answer: InputResponse;
    try {
      answer = await this.send(one);
    } catch (error) {
      return [said(one, `no answer: ${String(error)}`)];
    }
    return [...responseFailures(one, answer), ...undocumented(one, answer, this.service.conformance)].map(
      (failure) => said(one, `${failure}; it answered ${answer.status} ${answer.text.slice(0, 200)}`),
    );
  }

  send({
    method,
    target,
    headers,
    body,
  }: Pick<InputCase, 'method' | 'target' | 'headers' | 'body'>): Promise<InputResponse> {
    return new Promise((resolve, reject) => {
      const length =
        'Transfer-Encoding' in headers ? {} : { 'Content-Length': Buffer.byteLength(body ?? '') };
      const request = http.request(
        this.service.url,
        {
          method,
          path: target,
          headers: { ...(body !== undefined && length), ...headers },
          agent: this.agent,
          timeout: TIMEOUT_MS,
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers as Record<string, string | undefined>,
              text: Buffer.concat(parts).toString(),
            }),
          );
        },
      );
      request.on('timeout', () => request.destroy(new Error('it takes too long')));
      request.on('error', reject);
      request.end(body);
    });
  }

  stop(): void {
    this.agent.destroy();
  }
}

function said({ kind, operation, what, method, target }: InputCase, failure: string): string {
  return `${operation} (${kind}, ${what}; ${method} ${target.slice(0, 200)}): ${failure}`;
}

/** What is wrong with an answer, by what has to become of the request. */
export function responseFailures({ method, expected, headers }: InputCase, answer: InputResponse): string[] {
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
    failures.push(`its media type is ${answer.headers['content-type'] ?? 'not there'}`);
  if (method === 'HEAD') return failures;
  return [...failures, ...problemFailures(answer, codes, expected.at, headers.Authorization)];
}

function problemFailures(
  { status, headers, text }: InputResponse,
  codes: readonly ProblemCode[],
  at: string | undefined,
  authorization = 'Bearer -',
): string[] {
  let problem: Record<string, unknown>;
  try {
    problem = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return ['it is no JSON'];
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
    failures.push('title or status are not its own');
  if (problem.instance !== `urn:uuid:${headers['x-request-id']}`) failures.push('it names no request');
  const errors = (problem.errors ?? {}) as Record<string, string[]>;
  if (at !== undefined && Object.keys(errors).join() !== at)
    failures.push(`errors are not at ${at} but at ${Object.keys(errors).join() || 'nothing'}`);
  if (Object.values(errors).some((list) => list.length === 0)) failures.push('it says nothing of an error');
  const token = authorization.replace(/^Bearer /, '');
  if (
    INSIDE.some((inside) => inside.test(text)) ||
    (token.length > 20 && text.includes(token)) ||
    text.includes(ECHO_MARKER)
  )
    failures.push('it tells what it should not');
  return failures;
}

/** What the OpenAPI document does not say of the answer. A path that no URL can have is no operation's. */
function undocumented(
  { method, target }: InputCase,
  { status, headers, text }: InputResponse,
  conformance: Conformance,
): string[] {
  const isJson = /\bjson\b/.test(headers['content-type'] ?? '');
  try {
    const body: unknown = isJson && text !== '' ? JSON.parse(text) : undefined;
    const path = target.split('?', 1)[0] ?? '';
    if (method === 'OPTIONS' || !isDecodable(path) || !isNormal(path)) return [];
    conformance.check(method.toLowerCase(), path, { status, headers, body });
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Whether a path is what a URL makes of it. */
function isNormal(path: string): boolean {
  return readUrl(path, 'http://localhost')?.pathname === path;
}
