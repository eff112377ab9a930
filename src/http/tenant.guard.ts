import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Problem } from '../common/problem.js';
import { CONFIGURATION, type Configuration } from '../config/configuration.js';
import { AccessDirectory } from '../tenancy/access.directory.js';
import { type User } from '../tenancy/caller.js';
import { type Limit, RateLimiter, rateLimitHeaders, retryAfter } from './rate-limiter.js';
import { type FilingRequest, pathParameter, requestOf, responseOf } from './request-state.js';

/**
 * Where the caller calls, and how often: membership first, then the caller's own limit. Callers who are not members
 * of the addressed tenant draw on one bucket of their own, whatever the tenant, so that nothing tells tenants apart.
 */
@Injectable()
export class TenantGuard implements CanActivate {
  private readonly defaultLimit: Limit;

  constructor(
    @Inject(CONFIGURATION) configuration: Configuration,
    private readonly directory: AccessDirectory,
    private readonly limiter: RateLimiter,
  ) {
    this.defaultLimit = { perMinute: configuration.rateLimitPerMinute, burst: configuration.rateLimitBurst };
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const { state } = request;
    const { user } = state;
    if (!user) return true;
    const refusal = state.endpoint?.permission === 'user' ? null : await this.enter(request, user);
    const { caller } = state;
    const limit: Limit = caller
      ? {
          perMinute: caller.limits.perMinute ?? this.defaultLimit.perMinute,
          burst: caller.limits.burst ?? this.defaultLimit.burst,
        }
      : this.defaultLimit;
    const consumed = this.limiter.consume(`caller ${caller?.tenantId ?? '-'} ${user.id}`, limit);
    const result = consumed instanceof Promise ? await consumed : consumed;
    const response = responseOf(context);
    for (const [name, value] of rateLimitHeaders(limit, result)) response.setHeader(name, value);
    if (!result.allowed)
      throw new Problem('request.rate-limited', undefined, { headers: retryAfter(result.nextIn) });
    if (refusal) throw refusal;
    return true;
  }

  private async enter(request: FilingRequest, user: User): Promise<Problem | null> {
    const slug = pathParameter(request, 'tenant');
    try {
      request.state.caller = this.directory.recall(user, slug) ?? (await this.directory.enter(user, slug));
      return null;
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'tenant.no-access') throw error;
      return error;
    }
  }
}
