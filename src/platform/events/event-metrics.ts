import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { UnitOfWork } from '../database/transactions/unit-of-work.js';

/** The queue of all tenants (the migration of the event log). `ageSeconds`: of the oldest entry, 0 without one. */
interface Backlog {
  readonly waiting: number;
  readonly ageSeconds: number;
}

/** Prometheus metrics of the queue of audit entries without a sequence. The owner of the registry adds them to it. */
@Injectable()
export class EventMetrics {
  readonly all: readonly Gauge[];

  private reading: Promise<Backlog | undefined> | undefined;

  constructor(private readonly uow: UnitOfWork) {
    this.all = [
      this.gauge(
        'events_waiting',
        'Audit entries that are not in the event log yet, at most 100000',
        ({ waiting }) => waiting,
      ),
      this.gauge(
        'events_waiting_seconds',
        'Age of the oldest audit entry that is not in the event log yet',
        ({ ageSeconds }) => ageSeconds,
      ),
    ];
  }

  private gauge(name: string, help: string, value: (backlog: Backlog) => number): Gauge {
    const read = () => this.read();
    return new Gauge({
      name,
      help,
      registers: [],
      // Every process reports the queue of all tenants.
      aggregator: 'max',
      async collect() {
        const backlog = await read();
        if (backlog) this.set(value(backlog));
        else this.remove();
      },
    });
  }

  /**
   * One query for both gauges, which are read at the same time. Undefined without the database: other metrics show the
   * failure.
   */
  private read(): Promise<Backlog | undefined> {
    this.reading ??= this.uow
      .readAllTenants<Backlog>({
        text: `SELECT waiting, coalesce(greatest(extract(epoch FROM now() - oldest_at), 0), 0)::float8 AS "ageSeconds"
                 FROM event_backlog`,
      })
      .then(
        ([backlog]) => backlog,
        () => undefined,
      )
      .finally(() => (this.reading = undefined));
    return this.reading;
  }
}
