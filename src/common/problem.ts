import { PROBLEMS, type ProblemCode } from './vocabulary/problems.js';

/** Messages by JSON path of the request: `fields[2].options[0].key`, `limit`, `$` for the whole body. */
export type FieldErrors = Record<string, string[]>;

/**
 * What a request fails with, whatever layer finds it. The problem filter turns it into
 * `application/problem+json` (RFC 9457); nothing else needs to know how that looks.
 */
export class Problem extends Error {
  readonly status: number;
  readonly title: string;

  constructor(
    readonly code: ProblemCode,
    readonly detail: string = PROBLEMS[code].detail,
    readonly options: { errors?: FieldErrors; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(`${code}: ${detail}`, { cause: options.cause });
    this.name = 'Problem';
    this.status = PROBLEMS[code].status;
    this.title = PROBLEMS[code].title;
  }

  get errors(): FieldErrors | undefined {
    return this.options.errors;
  }
}

/** A 400 that says what is wrong with which values. */
export function invalid(errors: FieldErrors): Problem {
  return new Problem('request.invalid', undefined, { errors });
}

/** A 400 about one value. */
export function invalidValue(path: string, message: string): Problem {
  return invalid({ [path]: [message] });
}

/** A 400 about a body that cannot be read as what it says it is; `part` is where, when it is not the whole. */
export function malformedBody(message: string, part = '$', cause?: unknown): Problem {
  return new Problem('request.malformed-body', message, { errors: { [part]: [message] }, cause });
}

/** A 503: nothing is wrong with the request, which may be sent again after `retryAfter` seconds. */
export function unavailable(retryAfter: number, cause?: unknown, detail?: string): Problem {
  return new Problem('service.unavailable', detail, {
    headers: { 'Retry-After': String(retryAfter) },
    cause,
  });
}

/** The one 404 for what is malformed, unknown, of another tenant, or out of sight. */
export function notFound(): Problem {
  return new Problem('resource.not-found');
}
