import { type Language } from './messages/languages.js';
import { type Message, type MessageCode, type MessageParams, message, textOf } from './messages/message.js';
import { PROBLEMS, type ProblemCode } from './messages/problems.js';

/** Messages by JSON path of the request: `fields[2].options[0].key`, `limit`, `$` for the whole body. */
export type FieldErrors = Record<string, Message[]>;

interface ProblemOptions {
  /** In place of the detail of its kind. */
  readonly detail?: Message;
  readonly errors?: FieldErrors;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** What a problem document says to people. */
interface ProblemWording {
  readonly title: string;
  readonly detail: string;
  readonly errors?: Record<string, string[]>;
}

/**
 * What a request fails with, whatever layer finds it. The problem filter turns it into
 * `application/problem+json` (RFC 9457); nothing else needs to know how that looks.
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

  /** What the problem says in the language. */
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

/** A 400 that says what is wrong with which values. */
export function invalid(errors: FieldErrors): Problem {
  return new Problem('request.invalid', { errors });
}

/** A 400 about one value. */
export function invalidValue<C extends MessageCode>(
  path: string,
  code: C,
  ...params: MessageParams<C>
): Problem {
  return invalid({ [path]: [message(code, ...params)] });
}

/** A 400 about a body that cannot be read as what it says it is; `part` is where, when it is not the whole. */
export function malformedBody(detail: Message, part = '$', cause?: unknown): Problem {
  return new Problem('request.malformed-body', { detail, errors: { [part]: [detail] }, cause });
}

/** A 503: nothing is wrong with the request, which may be sent again after `retryAfter` seconds. */
export function unavailable(
  retryAfter: number,
  options: Pick<ProblemOptions, 'detail' | 'cause'> = {},
): Problem {
  return new Problem('service.unavailable', { ...options, headers: { 'Retry-After': String(retryAfter) } });
}

/** The one 404 for what is malformed, unknown, of another tenant, or out of sight. */
export function notFound(): Problem {
  return new Problem('resource.not-found');
}
