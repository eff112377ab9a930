import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { type Language } from '../../../common/messages/languages.js';
import { PROBLEMS } from '../../../common/messages/problems.js';
import { Problem } from '../../../common/problem.js';
import { databaseProblem } from '../../database/database-problems.js';
import { Log } from '../../logging/log.js';
import { languageOf } from './language.js';
import { methodNotAllowed } from './method-check.js';
import { type FilingRequest } from './request-state.js';
import { RouteTable } from './route-table.js';

/**
 * Everything that goes wrong ends here, and leaves as `application/problem+json` (RFC 9457).
 *
 * A refusal that was found before any trip to the database (a bad value, say) still rests on remembered rights: they
 * are read anew first, so that who has lost them learns nothing but that. A failure of ours (5xx) tells nobody
 * anything, and is no moment to ask the database for more.
 */
@Catch()
@Injectable()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly routes: RouteTable,
    private readonly log: Log,
  ) {}

  catch(fault: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FilingRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    const { caller, admitted } = request.state;
    const isRefusal = fault instanceof Problem && !isFailure(fault);
    if (!isRefusal || !admitted || !caller || caller.confirmed) this.answer(fault, request, response);
    else {
      void caller.revalidate().then(
        () => this.answer(fault, request, response),
        (refusal: unknown) => this.answer(refusal, request, response),
      );
    }
  }

  private answer(fault: unknown, request: FilingRequest, response: Response): void {
    const problem = this.problemOf(fault, request);
    if (isFailure(problem)) {
      this.log.error(
        { requestId: request.state.requestId, err: problem.options.cause ?? fault },
        PROBLEMS[problem.code].title.en,
      );
    }
    if (response.headersSent) {
      // The answer has begun: all that is left is to show that it is not complete.
      response.destroy();
      return;
    }
    writeProblem(response, problem, request.state.requestId);
  }

  private problemOf(fault: unknown, request: FilingRequest): Problem {
    if (fault instanceof Problem) {
      const hidden = fault.code === 'tenant.no-access' && request.state.endpoint?.noAccess === 404;
      return hidden ? new Problem('resource.not-found') : fault;
    }
    if (fault instanceof HttpException) return this.frameworkProblem(fault, request);
    if (fault instanceof URIError) return new Problem('route.not-found');
    return databaseProblem(fault) ?? new Problem('service.error', { cause: fault });
  }

  /** What Nest and Express themselves refuse: routes that are not there, paths that cannot be decoded. */
  private frameworkProblem(fault: HttpException, request: FilingRequest): Problem {
    const status = fault.getStatus();
    if (status === 404) {
      const allowed = this.routes.methodsAt(request.path);
      if (allowed.length === 0) return new Problem('route.not-found');
      return methodNotAllowed(allowed);
    }
    if (status === 400) return new Problem('route.not-found');
    return new Problem('service.error', { cause: fault });
  }
}

/** Whether the service failed. The limit of a tenant is no failure, although its status is a 5xx. */
function isFailure({ status, code }: Problem): boolean {
  return status >= 500 && code !== 'content.quota-exceeded';
}

/** Writes a problem document in the language of its reader: always the five members, on 400 also `errors`. */
function writeProblem(response: Response, problem: Problem, requestId: string): void {
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

/** The document itself; `instance` names the request by the id that logs and `X-Request-Id` carry. */
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
