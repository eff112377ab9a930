import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { NIL_ID } from '../../../common/identifier.js';
import { isUuid } from '../../../common/text.js';
import { type FilingRequest, pathParameter, requestOf } from '../pipeline/request-state.js';

/**
 * Returns an id of the path in its canonical form. A value that is not a UUID becomes the nil UUID, which no row has.
 * It therefore gets the same 404 as an unknown id, after the same checks, and PostgreSQL never parses it.
 */
export function pathId(request: FilingRequest, name: string): string {
  const value = pathParameter(request, name);
  return isUuid(value) ? value.toLowerCase() : NIL_ID;
}

const readId = (name: string, context: ExecutionContext): string => pathId(requestOf(context), name);

/** A number of the path, at least 1. Any other value becomes 0, which no row has, and gets the same 404. */
const readNumber = (name: string, context: ExecutionContext): number => {
  const value = pathParameter(requestOf(context), name);
  return /^[1-9]\d{0,8}$/.test(value) ? Number(value) : 0;
};

export const PathId = createParamDecorator(readId);
export const PathNumber = createParamDecorator(readNumber);

/** Whether Nest's metadata of a handler's parameter is that of `PathId` or `PathNumber`. */
export function isPathParameter(parameter: { readonly factory?: unknown }): boolean {
  return parameter.factory === readId || parameter.factory === readNumber;
}
