import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { ScheduledTasks } from '../database/scheduled-tasks.js';
import { TokenVerifier } from '../identity/token-verifier.js';
import { CONFIGURATION, type Configuration } from '../config/configuration.js';
import { AuthenticationGuard } from './authentication.guard.js';
import { BodyGuard } from './body.guard.js';
import { CursorCodec } from './cursor-codec.js';
import { Log } from './log.js';
import { Metrics } from './metrics.js';
import { PermissionGuard } from './permission.guard.js';
import { ProblemFilter } from './problem.filter.js';
import { MemoryRateLimiter, RateLimiter } from './rate-limiter.js';
import { Readiness } from './readiness.js';
import { RouteTable } from './route-table.js';
import { OpenApiDocuments } from './documentation/openapi-documents.js';
import { StorageQuota } from './storage-quota.js';
import { StrictHandling } from './strict-handling.js';
import { TenantGuard } from './tenant.guard.js';
import { ValidationPipe } from './validation.pipe.js';

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
            const { RedisRateLimiter } = await import('./redis-rate-limiter.js');
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
