import { SetMetadata, applyDecorators } from '@nestjs/common';
import {
  ApiExcludeEndpoint,
  ApiExtension,
  ApiOperation,
  ApiResponse,
  ApiTags,
  type ContentObject,
} from '@nestjs/swagger';
import { type ProblemCode } from '../../../common/messages/problems.js';
import { type Tag } from './operation-groups.js';

export const PUBLIC_ROUTE = 'filing:public-route';

/** Where the scan of the controllers finds the problems of a public route. */
export const PUBLIC_PROBLEMS = 'x-problems';

/** How the OpenAPI document shows a public route. */
interface PublicOperation {
  readonly operation: string;
  readonly summary: string;
  readonly description?: string;
  /** The group that it is shown in; `Service` without one. */
  readonly tag?: Tag;
  /** What it answers 200 with, by media type. */
  readonly content: ContentObject;
  readonly problems?: readonly ProblemCode[];
}

/** What is answered before it is known what is asked for. */
const ANY_REQUEST: readonly ProblemCode[] = ['request.headers-too-large'];

/**
 * Marks what lies outside tenants and needs no token: health, documentation, the catalogue of problems. Without a
 * description it is a page or a part of one, which the OpenAPI document leaves out.
 */
export function PublicRoute(described?: PublicOperation): MethodDecorator {
  const mark = SetMetadata(PUBLIC_ROUTE, true);
  if (!described) return applyDecorators(mark, ApiExcludeEndpoint());
  const { operation, summary, description, tag = 'Service', content, problems = [] } = described;
  return applyDecorators(
    mark,
    ApiTags(tag),
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
