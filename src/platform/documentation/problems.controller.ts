import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiParam, type OperationObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { type Language } from '../../common/messages/languages.js';
import {
  ALL_PROBLEM_CODES,
  PROBLEMS,
  type ProblemCode,
  isProblemCode,
} from '../../common/messages/problems.js';
import { notFound } from '../../common/problem.js';
import { PublicRoute, objectSchema } from '../http/endpoint/public-route.js';
import { OpenApiDocument } from './openapi-document.js';
import { operationsByProblem } from './problem-responses.js';
import { sendPageOrJson } from './representation.js';
import { escapeHtml, htmlPage } from '../../common/html.js';

const TEXTS = {
  en: {
    problems: 'Problems',
    advice: 'What to do',
    operations: 'Operations with this problem',
    all: 'All problems',
  },
  de: {
    problems: 'Probleme',
    advice: 'Abhilfe',
    operations: 'Operationen mit diesem Problem',
    all: 'Alle Probleme',
  },
} as const satisfies Record<Language, object>;

function problemListPage(language: Language): string {
  const items = ALL_PROBLEM_CODES.map((code) => {
    const { status, title, detail } = PROBLEMS[code];
    const link = `<a href="problems/${code}">${escapeHtml(title[language])}</a>`;
    return `<p>${link} ${status} <code>${code}</code><br>${escapeHtml(detail[language])}</p>`;
  });
  return htmlPage(language, TEXTS[language].problems, `<main>\n${items.join('\n')}\n</main>`);
}

/** @param operations operations that return the problem; empty if it occurs before the operation is known */
function problemPage(code: ProblemCode, operations: readonly OperationObject[], language: Language): string {
  const { status, title, detail, advice } = PROBLEMS[code];
  const texts = TEXTS[language];
  const links = operations.map(
    ({ operationId, tags: [tag = ''] = [] }) =>
      `<a href="../docs#/${encodeURIComponent(tag)}/${operationId}">${operationId}</a>`,
  );
  return htmlPage(
    language,
    title[language],
    `<main>
<p>${status} <code>/problems/${code}</code></p>
<p>${escapeHtml(detail[language])}</p>
<h2>${texts.advice}</h2>
<p>${escapeHtml(advice[language])}</p>
${links.length > 0 ? `<h2>${texts.operations}</h2>\n<p>${links.join(', ')}</p>` : ''}
<p><a href="../problems">${texts.all}</a></p>
</main>`,
  );
}

const text = (description: string, example: string) => ({ type: 'string', description, example });
const KIND = objectSchema({
  type: { type: 'string', example: '/problems/file.number-taken' },
  title: { type: 'string', example: 'File number taken' },
  status: { type: 'integer', format: 'int32', example: 409 },
  detail: text('What it means', PROBLEMS['file.number-taken'].detail.en),
  advice: text('What to do', PROBLEMS['file.number-taken'].advice.en),
  operations: {
    type: 'array',
    description: 'Operations that return this problem; empty if it occurs before the operation is known',
    items: { type: 'string' },
    example: ['CreateFile'],
  },
});
const PAGE = { 'text/html': { schema: { type: 'string' } } };

/** Serves the explanation of each problem at the path in its `type`, as HTML or JSON. */
@Controller('problems')
export class ProblemsController {
  private operations?: ReturnType<typeof operationsByProblem>;

  constructor(private readonly openApi: OpenApiDocument) {}

  @Get()
  @PublicRoute({
    operation: 'ListProblems',
    summary: 'List all problems',
    content: { 'application/json': { schema: { type: 'array', items: KIND } }, ...PAGE },
    problems: ['request.not-acceptable'],
  })
  list(@Req() request: Request, @Res() response: Response): void {
    const value = (language: Language) => ALL_PROBLEM_CODES.map((code) => this.describe(code, language));
    sendPageOrJson(request, response, problemListPage, value);
  }

  @Get(':code')
  @PublicRoute({
    operation: 'GetProblem',
    summary: 'Get the explanation of a problem',
    content: { 'application/json': { schema: KIND }, ...PAGE },
    problems: ['resource.not-found', 'request.not-acceptable'],
  })
  @ApiParam({ name: 'code', example: 'file.number-taken' })
  get(@Param('code') code: string, @Req() request: Request, @Res() response: Response): void {
    if (!isProblemCode(code)) throw notFound();
    const page = (language: Language) => problemPage(code, this.operationsOf(code), language);
    sendPageOrJson(request, response, page, (language) => this.describe(code, language));
  }

  private describe(code: ProblemCode, language: Language): object {
    const { title, status, detail, advice } = PROBLEMS[code];
    return {
      type: `/problems/${code}`,
      title: title[language],
      status,
      detail: detail[language],
      advice: advice[language],
      operations: this.operationsOf(code).map(({ operationId }) => operationId),
    };
  }

  private operationsOf(code: ProblemCode): readonly OperationObject[] {
    this.operations ??= operationsByProblem(this.openApi.document);
    return this.operations.get(code) ?? [];
  }
}
