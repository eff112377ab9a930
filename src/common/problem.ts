import { type Language } from './messages/languages.js';
import { type Message, type MessageCode, type MessageParams, message, textOf } from './messages/message.js';
import { PROBLEMS, type ProblemCode } from './messages/problems.js';

/** Messages by JSON path in the request: `fields[2].options[0].key`, `limit`, `$` for the whole body. */
export type FieldErrors = Record<string, Message[]>;

interface ProblemOptions {
  /** Replaces the default detail of the problem code. */
  readonly detail?: Message;
  readonly errors?: FieldErrors;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** The texts of a problem document in one language. */
interface ProblemWording {
  readonly title: string;
  readonly detail: string;
  readonly errors?: Record<string, string[]>;
}

/**
 * Error of a request; any layer can throw it. The problem filter converts it to `application/problem+json` (RFC
 * 9457).
 */
export class Problem extends Error {
  readonly status: number;

  constructor(
    readonly code: ProblemCode,
    readonly options: ProblemOptions = {},
  ) {
    super(`${code}: ${detailOf(code, options, 'en')}`, { cause: options.cause });
    this.name = 'Problem';
    this.status = PROBLEMS[code].status;
  }

  wording(language: Language): ProblemWording {
    const { errors } = this.options;
    return {
      title: PROBLEMS[this.code].title[language],
      detail: detailOf(this.code, this.options, language),
      errors: errors && textsOf(errors, language),
    };
  }
}

function detailOf(code: ProblemCode, { detail }: ProblemOptions, language: Language): string {
  return detail ? textOf(detail, language) : PROBLEMS[code].detail[language];
}

function textsOf(errors: FieldErrors, language: Language): ProblemWording['errors'] {
  return Object.fromEntries(
    Object.entries(errors).map(([path, messages]) => [path, messages.map((one) => textOf(one, language))]),
  );
}

export function invalid(errors: FieldErrors): Problem {
  return new Problem('request.invalid', { errors });
}

export function invalidValue<C extends MessageCode>(
  path: string,
  code: C,
  ...params: MessageParams<C>
): Problem {
  return invalid({ [path]: [message(code, ...params)] });
}

/** A 400 for a body that does not match its media type. `part` is the form part with the error. */
export function malformedBody(detail: Message, part = '$', cause?: unknown): Problem {
  return new Problem('request.malformed-body', { detail, errors: { [part]: [detail] }, cause });
}

/** A 503. The client can retry the same request after `retryAfter` seconds. */
export function unavailable(
  retryAfter: number,
  options: Pick<ProblemOptions, 'detail' | 'cause'> = {},
): Problem {
  return new Problem('service.unavailable', { ...options, headers: { 'Retry-After': String(retryAfter) } });
}

/** A 403 that names the permission that the role lacks, or several of which it needs one. */
export function missingPermission(...permissions: readonly string[]): Problem {
  const params = { permissions: permissions.join(', ') };
  const detail =
    permissions.length > 1 ? message('permission.one-of', params) : message('permission.needed', params);
  return new Problem('permission.missing', { detail });
}

/** The same 404 for an id that is malformed, unknown, of another tenant, or not visible to the caller. */
export function notFound(): Problem {
  return new Problem('resource.not-found');
}

/** Throws the 404 if there is no value. */
export function orNotFound<T>(value: T | null | undefined): T {
  if (value == null) throw notFound();
  return value;
}
