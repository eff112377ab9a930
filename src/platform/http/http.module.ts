import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { CONFIGURATION, type Configuration } from '../config/configuration.js';
import { INSTANCE, type Instance } from '../instances/instance.js';
import { Log } from '../logging/log.js';
import { BodyReader } from './body/body-reader.js';
import { StorageQuota } from './body/storage-quota.js';
import { StrictHandling } from './input/strict-handling.js';
import { ValidationPipe } from './input/validation.pipe.js';
import { AuthenticationGuard } from './pipeline/authentication.guard.js';
import { HeadersGuard } from './pipeline/headers.guard.js';
import { PermissionGuard } from './pipeline/permission.guard.js';
import { ProblemFilter } from './pipeline/problem.filter.js';
import { RouteTable } from './pipeline/route-table.js';
import { TenantGuard } from './pipeline/tenant.guard.js';
import { PrimaryRateLimiter } from './rate-limit/primary-rate-limiter.js';
import { MemoryRateLimiter, RateLimiter } from './rate-limit/rate-limiter.js';
import { type RedisRateLimiter } from './rate-limit/redis-rate-limiter.js';
import { Metrics } from './server/metrics.js';
import { OpenStreams } from './streams/open-streams.js';
import { PrimaryStreamSlots } from './streams/primary-stream-slots.js';
import { StreamSlots } from './streams/stream-slots.js';

/**
 * Provides the global guards, the pipe and the filter, in the order in which they run, and what streams share
 * (docs/adr/0040).
 */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    {
      provide: RateLimiter,
      useFactory: async (
        { redisUrl }: Configuration,
        log: Log,
        instance: Instance | null,
      ): Promise<RateLimiter> => {
        if (redisUrl === undefined)
          return instance ? new PrimaryRateLimiter(instance.primary, log) : new MemoryRateLimiter();
        // Imported only when needed, because loading it slows down the start.
        const { RedisRateLimiter } = await import('./rate-limit/redis-rate-limiter.js');
        return new RedisRateLimiter(redisUrl, log);
      },
      inject: [CONFIGURATION, Log, INSTANCE],
    },
    {
      // Shared with the same processes as the rate limits.
      provide: StreamSlots,
      useFactory: async (
        { redisUrl }: Configuration,
        limiter: RateLimiter,
        instance: Instance | null,
      ): Promise<StreamSlots> => {
        if (redisUrl === undefined)
          return new StreamSlots(instance && new PrimaryStreamSlots(instance.primary));
        const { RedisStreamSlots } = await import('./streams/redis-stream-slots.js');
        return new StreamSlots(new RedisStreamSlots(limiter as RedisRateLimiter));
      },
      inject: [CONFIGURATION, RateLimiter, INSTANCE],
    },
    BodyReader,
    Metrics,
    OpenStreams,
    RouteTable,
    StorageQuota,
    StrictHandling,
    { provide: APP_GUARD, useClass: AuthenticationGuard },
    { provide: APP_GUARD, useClass: TenantGuard },
    { provide: APP_GUARD, useClass: PermissionGuard },
    { provide: APP_GUARD, useClass: HeadersGuard },
    { provide: APP_PIPE, useClass: ValidationPipe },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
  exports: [BodyReader, Metrics, OpenStreams, RateLimiter, RouteTable, StrictHandling],
})
export class HttpModule {}
