import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { type User } from '../../tenancy/access/caller.js';
import { requestOf } from '../pipeline/request-state.js';

/** The owner of the access token, who may or may not be a member of the tenant. */
export interface SignedInUser {
  readonly user: User;
}

/** For operations that need a valid token but no membership (`permission: 'user'`). */
export const CurrentSignedInUser = createParamDecorator(
  (_: undefined, context: ExecutionContext): SignedInUser => {
    const { user } = requestOf(context).state;
    if (!user) throw new Error('The handler uses @CurrentSignedInUser, but its route is public');
    return { user };
  },
);
