import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { notFound } from '../../common/problem.js';
import { isProblemCode } from '../../common/messages/problems.js';
import { languageOf } from '../http/pipeline/language.js';
import { PublicRoute } from '../http/endpoint/public-route.js';
import { ProblemCatalogue, type ProblemDescription } from './problem-catalogue.js';
import { PROBLEM_PAGE_POLICY, problemListPage, problemPage } from './problem-pages.js';
import { sendPageOrJson } from './representation.js';

const KIND = {
  type: 'object',
  properties: {
    type: { type: 'string', example: '/problems/file.number-taken' },
    title: { type: 'string', example: 'File number taken' },
    status: { type: 'integer', format: 'int32', example: 409 },
    detail: {
      type: 'string',
      description: 'What it means',
      example: 'Another file of the tenant has this number.',
    },
    advice: {
      type: 'string',
      description: 'What to do',
      example: 'Take another number, or use the file that has it.',
    },
    operations: {
      type: 'array',
      description:
        'When it comes: the operations that answer with it; none when it comes before there is one',
      items: { type: 'string' },
      example: ['CreateFile'],
    },
  },
  required: ['type', 'title', 'status', 'detail', 'advice', 'operations'],
};
const PAGE = { 'text/html': { schema: { type: 'string' } } };

/** Where the `type` of a problem document leads: what each kind of problem means, for people or as JSON. */
@Controller('problems')
export class ProblemsController {
  constructor(private readonly problems: ProblemCatalogue) {}

  @Get()
  @PublicRoute({
    operation: 'ListProblems',
    summary: 'List the kinds of problems',
    content: { 'application/json': { schema: { type: 'array', items: KIND } }, ...PAGE },
    problems: ['request.not-acceptable'],
  })
  list(@Req() request: Request, @Res() response: Response): void {
    const language = languageOf(request);
    const problems = this.problems.list(language);
    sendPageOrJson(request, response, {
      language,
      policy: PROBLEM_PAGE_POLICY,
      page: () => problemListPage(problems, language),
      value: () => problems.map(present),
    });
  }

  @Get(':code')
  @PublicRoute({
    operation: 'GetProblem',
    summary: 'Read what a kind of problem means',
    content: { 'application/json': { schema: KIND }, ...PAGE },
    problems: ['resource.not-found', 'request.not-acceptable'],
  })
  @ApiParam({ name: 'code', example: 'file.number-taken' })
  get(@Param('code') code: string, @Req() request: Request, @Res() response: Response): void {
    if (!isProblemCode(code)) throw notFound();
    const language = languageOf(request);
    const problem = this.problems.describe(code, language);
    sendPageOrJson(request, response, {
      language,
      policy: PROBLEM_PAGE_POLICY,
      page: () => problemPage(problem, language),
      value: () => present(problem),
    });
  }
}

function present({ type, title, status, detail, advice, operations }: ProblemDescription): object {
  return {
    type,
    title,
    status,
    detail,
    advice,
    operations: operations.map(({ operation }) => operation),
  };
}
