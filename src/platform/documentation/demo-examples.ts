import { type OpenAPIObject, type OperationObject, type ParameterObject } from '@nestjs/swagger';
import { exampleId } from './examples.js';

export interface DemoExamples {
  /** Id by kind of resource: `file`, `documentType` … */
  readonly ids: Readonly<Record<string, string>>;
  /** Ids for one operation, by operation and name of the parameter. A query parameter has an example only here. */
  readonly operations: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * Returns a copy of the document whose examples can be sent unchanged: ids of the demo tenant replace invented ids
 * and become examples of path parameters. Without them, path ids have no examples, because such requests would get a
 * 404.
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
        if ((parameter.in === 'path' || parameter.name in own) && id !== undefined) parameter.example = id;
      }
    }
  }
  return copy;
}
