import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { type Caller } from '../../tenancy/access/caller.js';
import { requestOf } from '../pipeline/request-state.js';

/** The calling member of the tenant, after all guards have passed. */
export const CurrentCaller = createParamDecorator((_: undefined, context: ExecutionContext): Caller => {
  const { caller } = requestOf(context).state;
  if (!caller) throw new Error('The handler uses @CurrentCaller, but its path has no tenant');
  return caller;
});
