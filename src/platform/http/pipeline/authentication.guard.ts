import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Problem } from '../../../common/problem.js';
import { InvalidToken } from '../../identity/token-claims.js';
import { TokenVerifier } from '../../identity/token-verifier.js';
import { UsersRepository } from '../../tenancy/users/users.repository.js';
import { RateLimiter, addressLimited } from '../rate-limit/rate-limiter.js';
import { type FilingRequest, endpointOf, requestOf } from './request-state.js';

const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/** Verifies the bearer token, and creates the user's row at the first request. A request by a link needs no token. */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(
    private readonly verifier: TokenVerifier,
    private readonly users: UsersRepository,
    private readonly limiter: RateLimiter,
  ) {}

  /** Synchronous if token and user are cached. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = requestOf(context);
    const { state } = request;
    state.endpoint = endpointOf(context);
    // Only public routes have no @Endpoint: the application does not start with any other route without it.
    if (!state.endpoint) return true;
    if (state.linkedUser) {
      state.user = state.linkedUser;
      return true;
    }
    const header = request.headers.authorization;
    const token = header && BEARER.exec(header)?.[1];
    const identity = token ? this.verifier.cached(token) : undefined;
    const user = identity && this.users.cached(identity);
    if (!user) return this.authenticate(request, header, token);
    state.identity = identity;
    state.user = user;
    return true;
  }

  private async authenticate(
    request: FilingRequest,
    header: string | undefined,
    token: string | undefined,
  ): Promise<boolean> {
    const { state } = request;
    if (!token)
      throw await this.refuse(
        request,
        header === undefined ? null : 'The Authorization header is not a bearer token',
      );
    try {
      state.identity = await this.verifier.verify(token);
      state.user = this.users.cached(state.identity) ?? (await this.users.upsert(state.identity));
    } catch (error) {
      throw error instanceof InvalidToken ? await this.refuse(request, error.message) : error;
    }
    return true;
  }

  private async refuse(request: FilingRequest, reason: string | null): Promise<Problem> {
    const limited = await addressLimited(this.limiter, request.ip);
    if (limited) return limited;
    const challenge =
      reason === null
        ? 'Bearer realm="filing-service"'
        : `Bearer realm="filing-service", error="invalid_token", error_description="${reason.replace(/[^\x20-\x7e]|["\\]/g, '')}"`;
    return new Problem('authentication.required', { headers: { 'WWW-Authenticate': challenge } });
  }
}
