import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { LRUCache } from 'lru-cache';
import { message } from '../../../common/messages/message.js';
import { type ProblemCode } from '../../../common/messages/problems.js';
import { Problem, unavailable } from '../../../common/problem.js';
import { NO_TENANT, type Owner, Shares } from '../../../common/shares.js';
import { CONFIGURATION, type Configuration } from '../../config/configuration.js';
import { AccessDirectory } from '../../tenancy/access/access.directory.js';
import { type Caller, type User } from '../../tenancy/access/caller.js';
import {
  type Limit,
  type LimitResult,
  type Payment,
  RateLimiter,
  rateLimitHeaders,
  rateLimited,
  secondsUntilAllowed,
} from '../rate-limit/rate-limiter.js';
import { BytePrice } from '../rate-limit/byte-price.js';
import { onClose } from '../server/on-close.js';
import { type FilingRequest, ownerOf, pathParameter, requestOf, responseOf } from './request-state.js';

/** Maximum number of simultaneous requests, including those that wait for a database connection or their client. */
const IN_FLIGHT = { total: 2000, tenant: 400, caller: 100 };

/** How long the dearest request of a caller sets what the next one of the same operation pays in advance. */
const REMEMBER_PRICE_MS = 600_000;

/**
 * Checks the caller's membership in the tenant, then the caller's rate limit. A user has one bucket for each tenant
 * of which they are a member, and one bucket for all other tenants, existing or not: its headers reveal no tenant.
 */
@Injectable()
export class TenantGuard implements CanActivate {
  private readonly defaultLimit: Limit;
  /** In milliseconds. */
  private readonly readTimePerRequest: number;
  private readonly inFlight = new Shares(IN_FLIGHT);
  /** Prices in requests, by operation and caller. */
  private readonly dearest = new LRUCache<string, number>({ max: 10_000, ttl: REMEMBER_PRICE_MS });

  constructor(
    @Inject(CONFIGURATION) configuration: Configuration,
    private readonly directory: AccessDirectory,
    private readonly limiter: RateLimiter,
  ) {
    this.defaultLimit = { perMinute: configuration.rateLimitPerMinute, burst: configuration.rateLimitBurst };
    this.readTimePerRequest = configuration.rateLimitReadMs;
  }

  /** Synchronous if the caller is cached and the limiter counts in memory. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = requestOf(context);
    const { state } = request;
    const { user, endpoint } = state;
    if (!user) return true;
    const response = responseOf(context);
    const slug = pathParameter(request, 'tenant');
    const caller = endpoint?.permission === 'user' ? undefined : this.directory.cachedCaller(user, slug);
    state.caller = caller;
    this.count(response, ownerOf(request));
    state.charge = (cost) => this.charge(response, user, state.caller, cost);
    state.debit = (cost) => this.limiter.debit(keyOf(state.caller, user), this.limitOf(state.caller), cost);
    if (endpoint?.eventStream) state.tryCharge = () => this.tryCharge(user, state.caller);
    if (caller) this.chargeTo(state, caller);
    if (caller || endpoint?.permission === 'user') return this.pay(request, response, user);
    return this.enter(request, response, user);
  }

  /** Charges what the caller reads and changes. */
  private chargeTo(state: FilingRequest['state'], caller: Caller): void {
    caller.countRead = (bytes) => state.bytePrice?.addRead(bytes);
    caller.debit = (cost) => state.debit?.(cost);
    let [readTime, charged] = [0, 0];
    caller.countReadTime = (milliseconds) => {
      readTime += milliseconds;
      const price = Math.floor(readTime / this.readTimePerRequest);
      if (price > charged) state.debit?.(price - charged);
      charged = price;
    };
  }

  /** Counts the request as in progress until its response is closed. */
  private count(response: Response, owner: Owner): void {
    const exceeded = this.inFlight.exceeded(owner, 1);
    if (exceeded === 'total') throw unavailable(1);
    if (exceeded) throw rateLimited(1, TOO_MANY_AT_ONCE);
    this.inFlight.add(owner, 1);
    onClose(response, () => this.inFlight.add(owner, -1));
  }

  /**
   * Charges the operation, and in advance what the caller's dearest request of this kind has cost lately: otherwise
   * many at once would be admitted before the first of them is paid.
   */
  private pay(request: FilingRequest, response: Response, user: User): boolean | Promise<boolean> {
    const { caller, endpoint } = request.state;
    const price = endpoint?.price ?? 1;
    const known = this.dearest.size === 0 ? undefined : this.dearest.get(priceKey(request.state, user));
    const bytePrice = this.startBytePrice(request, response, user);
    if (known === undefined) return this.charge(response, user, caller, price);
    const advance = Math.max(0, Math.min(known, this.limitOf(caller).burst - price));
    const charged = this.charge(response, user, caller, price + advance);
    const admit = (): boolean => {
      bytePrice.payInAdvance(advance);
      return true;
    };
    return charged instanceof Promise ? charged.then(admit) : admit();
  }

  /** Settles the price when the response is closed: then it is known what has passed the connection. */
  private startBytePrice({ socket, state }: FilingRequest, response: Response, user: User): BytePrice {
    const bytePrice = new BytePrice((cost) => state.debit?.(cost));
    state.bytePrice = bytePrice;
    const before = socket.bytesRead + socket.bytesWritten;
    onClose(response, () => {
      if (bytePrice.price > 0) {
        const key = priceKey(state, user);
        this.dearest.set(key, Math.max(bytePrice.price, this.dearest.get(key) ?? 0));
      }
      bytePrice.settle(socket.bytesRead + socket.bytesWritten - before);
    });
    return bytePrice;
  }

  private charge(
    response: Response,
    user: User,
    caller: Caller | undefined,
    cost: number,
  ): boolean | Promise<boolean> {
    const limit = this.limitOf(caller);
    const payable = Math.min(cost, limit.burst);
    const consumed = this.limiter.consume(keyOf(caller, user), limit, payable);
    const decide = (result: LimitResult): boolean => {
      for (const [name, value] of rateLimitHeaders(limit, result)) response.setHeader(name, value);
      if (result.allowed) return true;
      throw rateLimited(secondsUntilAllowed(result, limit, payable));
    };
    return consumed instanceof Promise ? consumed.then(decide) : decide(consumed);
  }

  private async tryCharge(user: User, caller: Caller | undefined): Promise<Payment> {
    const limit = this.limitOf(caller);
    const { allowed, remaining } = await this.limiter.consume(keyOf(caller, user), limit);
    return { allowed, isLow: remaining < limit.burst / 2 };
  }

  private limitOf(caller: Caller | undefined): Limit {
    if (!caller) return this.defaultLimit;
    const { perMinute, burst } = caller.limits;
    return {
      perMinute: perMinute ?? this.defaultLimit.perMinute,
      burst: burst ?? this.defaultLimit.burst,
    };
  }

  /** Limits the membership queries of a user. Results for non-members are not cached, so each request needs a query. */
  private async limitLookups({ id }: User): Promise<void> {
    const { perMinute, burst } = this.defaultLimit;
    const limit = { perMinute: 2 * perMinute, burst: 2 * burst };
    const result = await this.limiter.consume(`lookup ${id}`, limit);
    if (!result.allowed) throw rateLimited(result.nextIn);
  }

  /** Reads the caller's membership. A refused caller gets the 403 only after the rate limit has been checked. */
  private async enter(request: FilingRequest, response: Response, user: User): Promise<boolean> {
    const { state } = request;
    await this.limitLookups(user);
    let refusal: Problem | null = null;
    try {
      const caller = await this.directory.findCaller(user, pathParameter(request, 'tenant'));
      this.chargeTo(state, caller);
      state.caller = caller;
    } catch (error) {
      if (!(error instanceof Problem) || !REFUSALS.includes(error.code)) throw error;
      refusal = error;
    }
    await this.pay(request, response, user);
    if (refusal) throw refusal;
    return true;
  }
}

const REFUSALS: readonly ProblemCode[] = ['tenant.no-access', 'tenant.suspended'];

const TOO_MANY_AT_ONCE = message('service.many-requests');

/** Key of what a request of this operation has cost the caller. */
function priceKey({ endpoint, caller }: FilingRequest['state'], user: User): string {
  return `${endpoint?.operation} ${keyOf(caller, user)}`;
}

/** Key of the bucket: one for each tenant of the member, and one for all tenants of which the user is no member. */
function keyOf(caller: Caller | undefined, { id }: User): string {
  return `caller ${caller?.tenantId ?? NO_TENANT} ${id}`;
}
