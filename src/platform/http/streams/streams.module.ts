import { Global, Module } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration.js';
import { INSTANCE, type Instance } from '../../instances/instance.js';
import { RateLimiter } from '../rate-limit/rate-limiter.js';
import { OpenStreams } from './open-streams.js';
import { PrimaryStreamSlots } from './primary-stream-slots.js';
import { StreamMetrics } from './stream-metrics.js';
import { StreamSlots } from './stream-slots.js';

/** Server-Sent Events (docs/adr/0040). The slots are shared with the same processes as the rate limits. */
@Global()
@Module({
  providers: [
    OpenStreams,
    StreamMetrics,
    {
      provide: StreamSlots,
      useFactory: async (
        { redisUrl }: Configuration,
        limiter: RateLimiter,
        instance: Instance | null,
      ): Promise<StreamSlots> => {
        if (redisUrl === undefined)
          return new StreamSlots(instance && new PrimaryStreamSlots(instance.primary));
        // Imported only when needed, like the limiter of Redis.
        const { RedisRateLimiter } = await import('../rate-limit/redis-rate-limiter.js');
        const { RedisStreamSlots } = await import('./redis-stream-slots.js');
        return new StreamSlots(limiter instanceof RedisRateLimiter ? new RedisStreamSlots(limiter) : null);
      },
      inject: [CONFIGURATION, RateLimiter, INSTANCE],
    },
  ],
  exports: [OpenStreams],
})
export class StreamsModule {}
