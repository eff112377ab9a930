import { Injectable } from '@nestjs/common';
import { Histogram } from 'prom-client';
import { Metrics } from '../../../platform/http/server/metrics.js';
import { type AttemptResult } from '../sending/webhook-client.js';

@Injectable()
export class DeliveryMetrics {
  private readonly attempts: Histogram<'outcome'>;

  constructor({ registry }: Metrics) {
    this.attempts = new Histogram({
      name: 'webhook_attempt_duration_seconds',
      help: 'Time of an attempt to deliver an event to a webhook, by outcome: Delivered, or lastError of the API',
      labelNames: ['outcome'],
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15],
      registers: [registry],
    });
    this.attempts.zero({ outcome: 'Delivered' });
  }

  attempted({ error, durationMs }: AttemptResult): void {
    this.attempts.observe({ outcome: error ?? 'Delivered' }, durationMs / 1000);
  }
}
