import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { type Caller } from '../../tenancy/access/caller.js';
import { requestOf } from '../pipeline/request-state.js';

/** The member of the tenant who calls, as the guards have admitted it. */
export const CurrentCaller = createParamDecorator((_: undefined, context: ExecutionContext): Caller => {
  const { caller } = requestOf(context).state;
  if (!caller) throw new Error('The operation asks for a caller, but its path has no tenant');
  return caller;
});
