import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { ScheduledTasks } from '../database/scheduled-tasks.js';
import { TokenVerifier } from '../identity/token-verifier.js';
import { CONFIGURATION, type Configuration } from '../config/configuration.js';
import { AuthenticationGuard } from './pipeline/authentication.guard.js';
import { BodyGuard } from './body/body.guard.js';
import { CursorCodec } from '../database/paging/cursor-codec.js';
import { Log } from '../logging/log.js';
import { Metrics } from './server/metrics.js';
import { PermissionGuard } from './pipeline/permission.guard.js';
import { ProblemFilter } from './pipeline/problem.filter.js';
import { MemoryRateLimiter, RateLimiter } from './rate-limit/rate-limiter.js';
import { Readiness } from '../health/readiness.js';
import { RouteTable } from './pipeline/route-table.js';
import { OpenApiDocuments } from '../documentation/openapi-documents.js';
import { StorageQuota } from './body/storage-quota.js';
import { StrictHandling } from './input/strict-handling.js';
import { TenantGuard } from './pipeline/tenant.guard.js';
import { ValidationPipe } from './input/validation.pipe.js';

/** The pipeline: the global guards, the pipe and the filter stand here in the order in which they run. */
@Global()
@Module({})
export class HttpModule {
  static with(log: Log): DynamicModule {
    return {
      module: HttpModule,
      imports: [DiscoveryModule],
      providers: [
        { provide: Log, useValue: log },
        {
          provide: TokenVerifier,
          useFactory: (configuration: Configuration) => new TokenVerifier(configuration, log),
          inject: [CONFIGURATION],
        },
        {
          provide: RateLimiter,
          useFactory: async ({ redisUrl }: Configuration): Promise<RateLimiter> => {
            if (redisUrl === undefined) return new MemoryRateLimiter();
            // Loaded where it is used: it makes the start longer.
            const { RedisRateLimiter } = await import('./rate-limit/redis-rate-limiter.js');
            return new RedisRateLimiter(redisUrl, log);
          },
          inject: [CONFIGURATION],
        },
        {
          provide: ScheduledTasks,
          useFactory: (dataSource: DataSource) => new ScheduledTasks(dataSource, log),
          inject: [DataSource],
        },
        CursorCodec,
        Metrics,
        Readiness,
        RouteTable,
        OpenApiDocuments,
        StorageQuota,
        StrictHandling,
        { provide: APP_GUARD, useClass: AuthenticationGuard },
        { provide: APP_GUARD, useClass: TenantGuard },
        { provide: APP_GUARD, useClass: PermissionGuard },
        { provide: APP_GUARD, useClass: BodyGuard },
        { provide: APP_PIPE, useClass: ValidationPipe },
        { provide: APP_FILTER, useClass: ProblemFilter },
      ],
      exports: [
        CursorCodec,
        Log,
        Metrics,
        OpenApiDocuments,
        RateLimiter,
        Readiness,
        RouteTable,
        ScheduledTasks,
        TokenVerifier,
      ],
    };
  }
}
