import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { Problem } from '../common/problem.js';
import { CONFIGURATION, type Configuration } from '../config/configuration.js';
import { AccessDirectory } from '../tenancy/access.directory.js';
import { type User } from '../tenancy/caller.js';
import { type Limit, type LimitResult, RateLimiter, rateLimitHeaders, retryAfter } from './rate-limiter.js';
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

  /** Without a promise where the caller is remembered and the limiter counts in memory. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = requestOf(context);
    const { user, endpoint } = request.state;
    if (!user) return true;
    const response = responseOf(context);
    if (endpoint?.permission === 'user') return this.limit(request, response, user, null);
    const slug = pathParameter(request, 'tenant');
    const caller = this.directory.recall(user, slug);
    if (!caller)
      return this.enter(request, user, slug).then((refusal) => this.limit(request, response, user, refusal));
    request.state.caller = caller;
    return this.limit(request, response, user, null);
  }

  /** The refusal comes after the limit, which also those draw on who are refused. */
  private limit(
    { state: { caller } }: FilingRequest,
    response: Response,
    user: User,
    refusal: Problem | null,
  ): boolean | Promise<boolean> {
    const limit: Limit = caller
      ? {
          perMinute: caller.limits.perMinute ?? this.defaultLimit.perMinute,
          burst: caller.limits.burst ?? this.defaultLimit.burst,
        }
      : this.defaultLimit;
    const consumed = this.limiter.consume(`caller ${caller?.tenantId ?? '-'} ${user.id}`, limit);
    const decide = (result: LimitResult): boolean => {
      for (const [name, value] of rateLimitHeaders(limit, result)) response.setHeader(name, value);
      if (!result.allowed)
        throw new Problem('request.rate-limited', undefined, { headers: retryAfter(result.nextIn) });
      if (refusal) throw refusal;
      return true;
    };
    return consumed instanceof Promise ? consumed.then(decide) : decide(consumed);
  }

  private async enter(request: FilingRequest, user: User, slug: string): Promise<Problem | null> {
    try {
      request.state.caller = await this.directory.enter(user, slug);
      return null;
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'tenant.no-access') throw error;
      return error;
    }
  }
}
