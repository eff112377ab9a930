import { type Type } from '@nestjs/common';
import { type OpenAPIObject, type PathItemObject, getSchemaPath } from '@nestjs/swagger';
import { type OperationGroup } from '../http/endpoint/operation-groups.js';
import { exampleOf } from './examples.js';

/** A request that the service sends, in the section `webhooks` of the OpenAPI document. */
export interface SentRequest {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly group: OperationGroup;
  /** DTO class of the JSON body. */
  readonly body: Type;
  /** Header fields with description and example. */
  readonly headers: Readonly<Record<string, { readonly description: string; readonly example: string }>>;
  /** Descriptions of the expected responses, by status. */
  readonly responses: Readonly<Record<string, string>>;
}

export function describeSentRequest(request: SentRequest, document: OpenAPIObject): PathItemObject {
  const schema = { $ref: getSchemaPath(request.body) };
  return {
    post: {
      operationId: request.name,
      tags: [request.group],
      summary: request.summary,
      description: request.description,
      parameters: Object.entries(request.headers).map(([name, { description, example }]) => ({
        name,
        in: 'header' as const,
        required: true,
        description,
        schema: { type: 'string' },
        example,
      })),
      requestBody: {
        required: true,
        content: { 'application/json': { schema, example: exampleOf(schema, document) } },
      },
      responses: Object.fromEntries(
        Object.entries(request.responses).map(([status, description]) => [status, { description }]),
      ),
      security: [],
    },
  };
}
