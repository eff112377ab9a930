import { type OpenAPIObject, type OperationObject, type ParameterObject } from '@nestjs/swagger';
import { exampleId } from './examples.js';

/** Things that are really there. */
export interface DemoExamples {
  /** Their ids by what they are: `file`, `documentType` … */
  readonly ids: Readonly<Record<string, string>>;
  /** By operation and name of a path parameter, where that should be another thing. */
  readonly operations: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * The same document with examples that work as they stand: ids of the demo tenant in place of invented ones, also in
 * paths. Without real ones these stay empty, for nothing is worse than an example that is a 404.
 */
export function withDemoExamples(document: OpenAPIObject, { ids, operations }: DemoExamples): OpenAPIObject {
  let text = JSON.stringify(document);
  for (const [kind, id] of Object.entries(ids)) text = text.replaceAll(exampleId(kind), id);
  const copy = JSON.parse(text) as OpenAPIObject;
  for (const item of Object.values(copy.paths)) {
    for (const operation of Object.values(item) as OperationObject[]) {
      const own = operations[operation.operationId ?? ''] ?? {};
      for (const parameter of (operation.parameters ?? []) as ParameterObject[]) {
        const id = own[parameter.name] ?? ids[parameter.name.replace(/Id$/, '')];
        if (parameter.in === 'path' && id !== undefined) parameter.example = id;
      }
    }
  }
  return copy;
}
