import { SetMetadata, applyDecorators } from '@nestjs/common';
import {
  ApiExcludeEndpoint,
  ApiExtension,
  ApiOperation,
  ApiResponse,
  ApiTags,
  type ContentObject,
  type SchemaObject,
} from '@nestjs/swagger';
import { type ProblemCode } from '../../../common/messages/problems.js';
import { type OperationGroup } from './operation-groups.js';

export const PUBLIC_ROUTE = 'filing:public-route';

/** OpenAPI extension that passes the problem codes of a public route to documentation/document.ts. */
export const PUBLIC_PROBLEMS = 'x-problems';

interface PublicOperation {
  readonly operation: string;
  readonly summary: string;
  readonly description?: string;
  /** Default: `Service`. */
  readonly group?: OperationGroup;
  /** Body of the response with status 200, by media type. */
  readonly content: ContentObject;
  readonly problems?: readonly ProblemCode[];
}

/** Problems that occur before the route is known. */
const ANY_REQUEST: readonly ProblemCode[] = ['request.headers-too-large'];

/** Schema of an object that always has all of these members. */
export function objectSchema(properties: NonNullable<SchemaObject['properties']>): SchemaObject {
  return { type: 'object', properties, required: Object.keys(properties) };
}

/**
 * Marks a route without tenant that needs no token: health, documentation, the catalogue of problems. Without a
 * description, the OpenAPI document does not contain the route (pages and their assets).
 */
export function PublicRoute(described?: PublicOperation): MethodDecorator {
  const mark = SetMetadata(PUBLIC_ROUTE, true);
  if (!described) return applyDecorators(mark, ApiExcludeEndpoint());
  const { operation, summary, description, group = 'Service', content, problems = [] } = described;
  return applyDecorators(
    mark,
    ApiTags(group),
    ApiOperation({
      operationId: operation,
      summary,
      description: [description, 'Needs no token.'].filter(Boolean).join('\n\n'),
    }),
    ApiExtension('x-addition', true),
    ApiResponse({ status: 200, description: 'Done', content }),
    ApiExtension(PUBLIC_PROBLEMS, [...problems, ...ANY_REQUEST]),
  );
}
