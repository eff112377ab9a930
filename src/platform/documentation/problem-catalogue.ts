import { Injectable } from '@nestjs/common';
import { type OpenAPIObject, type OperationObject } from '@nestjs/swagger';
import { type Language } from '../../common/messages/languages.js';
import { ALL_PROBLEM_CODES, PROBLEMS, type ProblemCode } from '../../common/messages/problems.js';
import { OpenApiDocument } from './openapi-document.js';
import { problemsOf } from './problem-responses.js';

export interface DescribedOperation {
  readonly operation: string;
  readonly tag: string;
}

/** A kind of problem as the catalogue shows it. */
export interface ProblemDescription {
  readonly code: ProblemCode;
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** What to do. */
  readonly advice: string;
  /** Which operations answer with it, in the order of the documentation; none when it comes before there is one. */
  readonly operations: readonly DescribedOperation[];
  /** The operations of tenants that do not, where these are fewer. */
  readonly exceptions: readonly DescribedOperation[] | null;
}

/**
 * The kinds of problems, each with the operations that answer with it: as the OpenAPI document has it, which the tests
 * hold real answers against.
 */
@Injectable()
export class ProblemCatalogue {
  private operations?: ReadonlyMap<string, readonly DescribedOperation[]>;
  private ofTenants: readonly DescribedOperation[] = [];

  constructor(private readonly documents: OpenApiDocument) {}

  list(language: Language): ProblemDescription[] {
    return ALL_PROBLEM_CODES.map((code) => this.describe(code, language));
  }

  describe(code: ProblemCode, language: Language): ProblemDescription {
    this.scan();
    const { title, status, detail, advice } = PROBLEMS[code];
    const operations = this.operations?.get(code) ?? [];
    const exceptions = this.ofTenants.filter((operation) => !operations.includes(operation));
    return {
      code,
      type: `/problems/${code}`,
      title: title[language],
      status,
      detail: detail[language],
      advice: advice[language],
      operations,
      exceptions: exceptions.length < operations.length ? exceptions : null,
    };
  }

  private scan(): void {
    if (this.operations) return;
    const found = new Map<string, DescribedOperation[]>();
    const ofTenants: DescribedOperation[] = [];
    const { paths, components } = this.documents.document;
    for (const { path, operation } of operationsOf(paths)) {
      const described = { operation: operation.operationId ?? '', tag: operation.tags?.[0] ?? '' };
      if (path.startsWith('/api/')) ofTenants.push(described);
      for (const code of problemsOf(operation, components))
        found.set(code, [...(found.get(code) ?? []), described]);
    }
    this.ofTenants = ofTenants;
    this.operations = found;
  }
}

function operationsOf(paths: OpenAPIObject['paths']): { path: string; operation: OperationObject }[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    (['get', 'post', 'put', 'delete'] as const).flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, operation }] : [];
    }),
  );
}
