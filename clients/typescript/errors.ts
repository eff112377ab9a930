import { type components } from './schema.js';

type ProblemDetails = components['schemas']['ProblemDetails'] &
  Partial<Pick<components['schemas']['ValidationProblemDetails'], 'errors'>>;

/** An error answer of the service, with its problem document (RFC 9457). */
export class FilingProblem extends Error {
  override readonly name = 'FilingProblem';
  readonly status: number;
  /** Empty if the answer is not JSON, for example that of a proxy. */
  readonly problem: ProblemDetails;

  constructor(
    readonly response: Response,
    body: unknown,
  ) {
    const problem: ProblemDetails = typeof body === 'object' && body !== null ? body : {};
    const errors = Object.entries(problem.errors ?? {}).map(([path, texts]) => `${path} ${texts.join(', ')}`);
    const details = errors.length > 0 ? errors.join('; ') : problem.detail;
    super(
      [problem.title ?? `HTTP ${response.status} ${response.statusText}`.trim(), details]
        .filter(Boolean)
        .join(': '),
    );
    this.status = response.status;
    this.problem = problem;
  }

  /** The last part of the type: `file.number-taken` for `/problems/file.number-taken`. */
  get code(): string | undefined {
    return this.problem.type?.split('/problems/')[1];
  }
}

/** There was no answer, or it was incomplete; `cause` is the error of `fetch`. */
export class ConnectionFailed extends Error {
  override readonly name = 'ConnectionFailed';
  readonly status = null;

  /** Throws `error` itself if it is not an error of `fetch`. */
  static of(error: unknown, url: string): ConnectionFailed {
    if (!(error instanceof TypeError)) throw error;
    const { cause, message } = error as Error & { cause?: Error };
    return new ConnectionFailed(`No answer from ${url}: ${cause?.message ?? message}`, { cause: error });
  }
}
