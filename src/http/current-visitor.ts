import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { type User } from '../tenancy/caller.js';
import { requestOf } from './request-state.js';

/** Who calls, member of the tenant or not. */
export interface Visitor {
  readonly user: User;
  /** The address that the very token of the request vouches for; null without one. */
  readonly verifiedEmail: string | null;
}

/** For operations that anybody with a good token may call (`permission: 'user'`). */
export const CurrentVisitor = createParamDecorator((_: undefined, context: ExecutionContext): Visitor => {
  const { user, identity } = requestOf(context).state;
  if (!user || !identity) throw new Error('The operation asks for a user but lets anybody in');
  return { user, verifiedEmail: identity.emailVerified ? identity.email : null };
});
