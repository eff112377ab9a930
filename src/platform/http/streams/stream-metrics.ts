import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Metrics } from '../server/metrics.js';
import { type StreamEnd } from './event-stream.js';

@Injectable()
export class StreamMetrics {
  private readonly open: Gauge<'operation'>;
  private readonly endings: Counter<'operation' | 'reason'>;

  constructor({ registry }: Metrics) {
    const registers = [registry];
    this.open = new Gauge({
      name: 'http_streams_open',
      help: 'Open streams, by operation',
      labelNames: ['operation'],
      registers,
    });
    this.endings = new Counter({
      name: 'http_streams_ended_total',
      help: 'Streams that have ended, by operation and reason',
      labelNames: ['operation', 'reason'],
      registers,
    });
  }

  opened(operation: string): void {
    this.open.inc({ operation });
  }

  ended(operation: string, reason: StreamEnd): void {
    this.open.dec({ operation });
    this.endings.inc({ operation, reason });
  }
}
