import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { UnitOfWork } from '../database/transactions/unit-of-work.js';

/** The queue of all tenants (the migration of the event log). `oldestId` is null without queued entries. */
interface Backlog {
  readonly waiting: number;
  readonly oldestId: string | null;
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
        ({ oldestId }) => (oldestId === null ? 0 : secondsSince(oldestId)),
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
      .readAllTenants<Backlog>({ text: 'SELECT waiting, oldest_id AS "oldestId" FROM event_backlog' })
      .then(
        ([backlog]) => backlog,
        () => undefined,
      )
      .finally(() => (this.reading = undefined));
    return this.reading;
  }
}

/** Ids of entries are UUIDv7, which begin with the time in milliseconds. */
function secondsSince(id: string): number {
  const milliseconds = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  return Math.max(0, (Date.now() - milliseconds) / 1000);
}
