import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { NIL_ID } from '../../../common/identifier.js';
import { isUuid } from '../../../common/text.js';
import { type FilingRequest, pathParameter, requestOf } from '../pipeline/request-state.js';

/**
 * An id of the path in its canonical form. One that is no UUID becomes the nil UUID, which nothing has: so it meets
 * the same 404 as an unknown one, at the same point of the order of checks, and never PostgreSQL's own parser.
 */
export function pathId(request: FilingRequest, name: string): string {
  const value = pathParameter(request, name);
  return isUuid(value) ? value.toLowerCase() : NIL_ID;
}

export const PathId = createParamDecorator((name: string, context: ExecutionContext): string =>
  pathId(requestOf(context), name),
);

/** A number of the path, from 1. Whatever is none becomes 0, which nothing has, and so the same 404. */
export const PathNumber = createParamDecorator((name: string, context: ExecutionContext): number => {
  const value = pathParameter(requestOf(context), name);
  return /^[1-9]\d{0,8}$/.test(value) ? Number(value) : 0;
});
