import http from 'node:http';
import { readUrl } from '../../../../src/common/url.js';
import { PROBLEMS, type ProblemCode, isProblemCode } from '../../../../src/common/messages/problems.js';
import { type Conformance } from '../../../contract/conformance.js';
import { type TestService } from '../../../support/service/service.js';
import { isDecodable } from './described-operations.js';

/** Part of values that are sent: it must not come back. */
export const MARK = 'GEHEIM';

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

export interface InputAnswer {
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
export class Trial {
  /** Requests sent. */
  total = 0;
  /** What was tried of each operation: `kind: what`. */
  readonly tried = new Map<string, Set<string>>();
  private readonly agent = new http.Agent({ keepAlive: true, maxSockets: WIDTH });

  constructor(private readonly service: TestService) {}

  /** A sentence for each answer that is not as it should be. */
  async faults(cases: readonly InputCase[], width = WIDTH): Promise<string[]> {
    const faults: string[] = [];
    const left = cases.values();
    const worker = async () => {
      for (const one of left) faults.push(...(await this.try(one)));
    };
    await Promise.all(Array.from({ length: width }, worker));
    return faults.length > MAX_SHOWN
      ? [...faults.slice(0, MAX_SHOWN), `and ${faults.length - MAX_SHOWN} more`]
      : faults;
  }

  private async try(one: InputCase): Promise<string[]> {
    this.total += 1;
    const tried = this.tried.get(one.operation) ?? new Set();
    this.tried.set(one.operation, tried.add(`${one.kind}: ${one.what}`));
    let answer: InputAnswer;
    try {
      answer = await this.send(one);
    } catch (error) {
      return [said(one, `no answer: ${String(error)}`)];
    }
    return [...answerFaults(one, answer), ...undocumented(one, answer, this.service.conformance)].map(
      (fault) => said(one, `${fault}; it answered ${answer.status} ${answer.text.slice(0, 200)}`),
    );
  }

  send({
    method,
    target,
    headers,
    body,
  }: Pick<InputCase, 'method' | 'target' | 'headers' | 'body'>): Promise<InputAnswer> {
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

function said({ kind, operation, what, method, target }: InputCase, fault: string): string {
  return `${operation} (${kind}, ${what}; ${method} ${target.slice(0, 200)}): ${fault}`;
}

/** What is wrong with an answer, by what has to become of the request. */
export function answerFaults({ method, expected, headers }: InputCase, answer: InputAnswer): string[] {
  const { allow } = expected;
  const faults: string[] = [];
  if (allow !== undefined && answer.headers.allow !== allow) faults.push(`Allow is not ${allow}`);
  if ('accepted' in expected) {
    if (!expected.accepted.includes(answer.status)) faults.push(`not ${expected.accepted.join(' or ')}`);
    return faults;
  }
  const codes = [expected.refused].flat();
  const statuses = codes.map((code) => PROBLEMS[code].status as number);
  if (!statuses.includes(answer.status)) return [...faults, `not ${codes.join(' or ')}`];
  if (answer.headers['content-type'] !== 'application/problem+json; charset=utf-8')
    faults.push(`its media type is ${answer.headers['content-type'] ?? 'not there'}`);
  if (method === 'HEAD') return faults;
  return [...faults, ...problemFaults(answer, codes, expected.at, headers.Authorization)];
}

function problemFaults(
  { status, headers, text }: InputAnswer,
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
  const faults: string[] = [];
  const code = String(problem.type).replace('/problems/', '');
  if (!isProblemCode(code)) return [`${code} is not in the catalogue`];
  if (!codes.includes(code)) faults.push(`not ${codes.join(' or ')}`);
  const members = ['detail', 'instance', 'status', 'title', 'type', ...(status === 400 ? ['errors'] : [])];
  if (Object.keys(problem).sort().join() !== members.sort().join())
    faults.push(`its members are ${Object.keys(problem).join()}`);
  const { title } = PROBLEMS[code];
  if (problem.title !== title.en || problem.status !== status) faults.push('title or status are not its own');
  if (problem.instance !== `urn:uuid:${headers['x-request-id']}`) faults.push('it names no request');
  const errors = (problem.errors ?? {}) as Record<string, string[]>;
  if (at !== undefined && Object.keys(errors).join() !== at)
    faults.push(`errors are not at ${at} but at ${Object.keys(errors).join() || 'nothing'}`);
  if (Object.values(errors).some((list) => list.length === 0)) faults.push('it says nothing of an error');
  const token = authorization.replace(/^Bearer /, '');
  if (
    INSIDE.some((inside) => inside.test(text)) ||
    (token.length > 20 && text.includes(token)) ||
    text.includes(MARK)
  )
    faults.push('it tells what it should not');
  return faults;
}

/** What the OpenAPI document does not say of the answer. A path that no URL can have is no operation's. */
function undocumented(
  { method, target }: InputCase,
  { status, headers, text }: InputAnswer,
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
