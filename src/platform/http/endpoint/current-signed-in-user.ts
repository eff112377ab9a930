import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { type User } from '../../tenancy/access/caller.js';
import { requestOf } from '../pipeline/request-state.js';

/** Who calls, member of the tenant or not. */
export interface SignedInUser {
  readonly user: User;
}

/** For operations that anybody with a good token may call (`permission: 'user'`). */
export const CurrentSignedInUser = createParamDecorator(
  (_: undefined, context: ExecutionContext): SignedInUser => {
    const { user } = requestOf(context).state;
    if (!user) throw new Error('The operation asks for a user but lets anybody in');
    return { user };
  },
);
