import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { type Language } from '../../../common/messages/languages.js';
import { message } from '../../../common/messages/message.js';
import { PROBLEMS } from '../../../common/messages/problems.js';
import { Problem } from '../../../common/problem.js';
import { databaseProblem } from '../../database/database-problems.js';
import { Log } from '../../logging/log.js';
import { RefusalPace } from '../rate-limit/refusal-pace.js';
import { languageOf } from './language.js';
import { type FilingRequest } from './request-state.js';

/**
 * Converts every exception to `application/problem+json` (RFC 9457).
 *
 * A 4xx can occur before the first database query (for example an invalid value), while the caller's rights come from
 * the cache. They are then read again first: a caller who has lost access gets only that error. A 5xx reveals
 * nothing, and should not cause another database query.
 */
@Catch()
@Injectable()
export class ProblemFilter implements ExceptionFilter {
  private readonly refusals = new RefusalPace();

  constructor(private readonly log: Log) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FilingRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    const { caller, admitted } = request.state;
    const isRefusal = error instanceof Problem && !isFailure(error);
    if (isRefusal && error.code === 'request.rate-limited') {
      const client = request.state.user?.id ?? `address ${request.ip}`;
      this.refusals.answer(client, () => this.answer(error, request, response));
    } else if (!isRefusal || !admitted || !caller || caller.confirmed) this.answer(error, request, response);
    else {
      void caller.revalidate().then(
        () => this.answer(error, request, response),
        (refusal: unknown) => this.answer(refusal, request, response),
      );
    }
  }

  private answer(error: unknown, request: FilingRequest, response: Response): void {
    const problem = this.problemOf(error, request);
    if (isFailure(problem)) {
      this.log.error(
        { requestId: request.state.requestId, err: problem.options.cause ?? error },
        PROBLEMS[problem.code].title.en,
      );
    }
    if (response.headersSent) {
      // The response has already started. Closing the connection shows that it is incomplete.
      response.destroy();
      return;
    }
    writeProblem(response, problem, request.state.requestId);
  }

  private problemOf(error: unknown, request: FilingRequest): Problem {
    if (error instanceof Problem) {
      return request.state.endpoint?.noAccess === 404 ? asNotFound(error) : error;
    }
    // Of Nest and Express: unknown routes, and paths that cannot be decoded.
    if (error instanceof HttpException && [400, 404].includes(error.getStatus()))
      return new Problem('route.not-found');
    if (error instanceof URIError) return new Problem('route.not-found');
    return databaseProblem(error) ?? new Problem('service.error', { cause: error });
  }
}

/** For an operation that declares no 403. */
function asNotFound(problem: Problem): Problem {
  switch (problem.code) {
    case 'tenant.no-access':
      return new Problem('resource.not-found');
    case 'tenant.suspended':
      return new Problem('resource.not-found', { detail: message('tenant.is-suspended') });
    default:
      return problem;
  }
}

/** Whether the problem is a failure of the service. A tenant's storage limit is not, although its status is 507. */
function isFailure({ status, code }: Problem): boolean {
  return status >= 500 && code !== 'content.quota-exceeded';
}

/** Writes a problem document in the language of the request: always the five members, with status 400 also `errors`. */
export function writeProblem(response: Response, problem: Problem, requestId: string): void {
  const { status, options } = problem;
  for (const [name, value] of Object.entries(options.headers ?? {})) response.setHeader(name, value);
  for (const name of ['ETag', 'Content-Disposition', 'Content-Range', 'Accept-Ranges', 'Content-Encoding']) {
    if (!(name in (options.headers ?? {}))) response.removeHeader(name);
  }
  const language = languageOf(response.req);
  response.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
  response.setHeader('Content-Language', language);
  response.vary('Accept-Language');
  const text = problemText(problem, language, requestId);
  response.statusCode = status;
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** The problem document as JSON. `instance` contains the request id, as in the log and in `X-Request-Id`. */
export function problemText(problem: Problem, language: Language, requestId: string): string {
  const { code, status } = problem;
  const { title, detail, errors } = problem.wording(language);
  return JSON.stringify({
    type: `/problems/${code}`,
    title,
    status,
    detail,
    instance: `urn:uuid:${requestId}`,
    errors: status === 400 ? (errors ?? {}) : undefined,
  });
}
