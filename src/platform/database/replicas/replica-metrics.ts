import { Counter, Gauge } from 'prom-client';

/** State of a replica for the metrics. */
export interface ReplicaFigures {
  readonly name: string;
  readonly isReady: boolean;
  /** Bytes of the write-ahead log that the replica has not replayed yet; undefined if unknown. */
  readonly lag: number | undefined;
  readonly connections: number;
}

/** Prometheus metrics of the replicas. The owner of the registry adds them to it. */
export class ReplicaMetrics {
  readonly answered = new Counter({
    name: 'database_replica_reads_total',
    help: 'Requests whose data a replica has read',
    labelNames: ['replica'],
    registers: [],
  });
  readonly sentBack = new Counter({
    name: 'database_replica_fallbacks_total',
    help: 'Requests that the primary has answered although a replica may answer them, by reason',
    labelNames: ['reason'],
    registers: [],
  });
  readonly all: readonly (Counter | Gauge)[];

  constructor(figures: () => readonly ReplicaFigures[]) {
    const gauge = (
      name: string,
      help: string,
      aggregator: 'min' | 'max' | 'sum',
      read: (replica: ReplicaFigures) => number | undefined,
    ): Gauge =>
      new Gauge({
        name,
        help,
        labelNames: ['replica'],
        registers: [],
        aggregator,
        collect() {
          this.reset();
          for (const replica of figures()) {
            const value = read(replica);
            if (value !== undefined) this.labels(replica.name).set(value);
          }
        },
      });
    this.all = [
      this.answered,
      this.sentBack,
      gauge('database_replica_ready', 'Whether requests use the replica (1) or not (0)', 'min', (replica) =>
        Number(replica.isReady),
      ),
      gauge(
        'database_replica_lag_bytes',
        'Bytes of the write-ahead log that the replica has not replayed yet',
        'max',
        ({ lag }) => lag,
      ),
      gauge(
        'database_replica_connections',
        'Open connections to the replica for requests',
        'sum',
        ({ connections }) => connections,
      ),
    ];
  }
}
