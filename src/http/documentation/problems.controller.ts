import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Problem, notFound } from '../../common/problem.js';
import { ALL_PROBLEM_CODES, PROBLEMS, type ProblemCode, isProblemCode } from '../../vocabulary/problems.js';
import { PublicRoute } from '../public-route.js';
import { PROBLEM_PAGE_POLICY, problemListPage, problemPage } from './problem-pages.js';
import { representation, sendRepresentation } from './representation.js';

const KIND = {
  type: 'object',
  properties: {
    type: { type: 'string', example: '/problems/file.number-taken' },
    title: { type: 'string', example: 'File number taken' },
    status: { type: 'integer', format: 'int32', example: 409 },
    detail: { type: 'string', example: 'Another file of the tenant has this number.' },
  },
  required: ['type', 'title', 'status', 'detail'],
};
const PAGE = { 'text/html': { schema: { type: 'string' } } };

/** Where the `type` of a problem document leads: what each kind of problem means, for people or as JSON. */
@Controller('problems')
export class ProblemsController {
  @Get()
  @PublicRoute({
    operation: 'ListProblems',
    summary: 'List the kinds of problems',
    content: { 'application/json': { schema: { type: 'array', items: KIND } }, ...PAGE },
    problems: ['request.not-acceptable'],
  })
  list(@Req() request: Request, @Res() response: Response): void {
    send(request, response, problemListPage, () => ALL_PROBLEM_CODES.map(describe));
  }

  @Get(':code')
  @PublicRoute({
    operation: 'GetProblem',
    summary: 'Read what a kind of problem means',
    content: { 'application/json': { schema: KIND }, ...PAGE },
    problems: ['resource.not-found', 'request.not-acceptable'],
  })
  get(@Param('code') code: string, @Req() request: Request, @Res() response: Response): void {
    if (!isProblemCode(code)) throw notFound();
    send(
      request,
      response,
      () => problemPage(code),
      () => describe(code),
    );
  }
}

function describe(code: ProblemCode): object {
  const { title, status, detail } = PROBLEMS[code];
  return { type: `/problems/${code}`, title, status, detail };
}

/** HTML for those who prefer it; a client that does not say is a program. */
function send(request: Request, response: Response, page: () => string, value: () => object): void {
  response.setHeader('Vary', 'Accept');
  switch (request.accepts(['json', 'html'])) {
    case 'html': {
      const headers = { 'Content-Security-Policy': PROBLEM_PAGE_POLICY };
      sendRepresentation(request, response, representation('text/html; charset=utf-8', page()), headers);
      return;
    }
    case 'json':
      sendRepresentation(
        request,
        response,
        representation('application/json; charset=utf-8', JSON.stringify(value())),
      );
      return;
    default:
      throw new Problem('request.not-acceptable');
  }
}
