import { EventEmitter } from 'node:events';
import { Logger, type WorkerEvents, type WorkerSharedOptions } from 'graphile-worker';
import pg from 'pg';
import { type DataSource } from 'typeorm';
import { SHORT_STATEMENT_LIMITS, limitOptions } from '../database/connections/session-limits.js';
import {
  enableResponseTimeout,
  disableResponseTimeout,
  handleConnectionLoss,
} from '../database/connections/connection-loss.js';
import { QUEUE_SCHEMA } from '../database/schema/queue-schema.js';
import { type LogWriter } from '../logging/log.js';

/** Jobs come by a notification; this is for those whose next attempt is due, and where notifications do not come through. */
const POLL_MS = 2000;
/** Levels of graphile-worker's that are worth a warning of ours. */
const WARNING_LEVELS: readonly string[] = ['error', 'warning'];

/** Connections of a worker, apart from those of requests: one listens, the others take and finish jobs. */
export function openQueuePool(dataSource: DataSource, concurrency: number): pg.Pool {
  const { url } = dataSource.options as { url: string };
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'filing-service queue',
    max: 1 + Math.min(concurrency, 4),
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    options: limitOptions(SHORT_STATEMENT_LIMITS),
    onConnect: (client) => handleConnectionLoss(client as pg.Client, SHORT_STATEMENT_LIMITS.statementMs),
  });
  // Whoever waits for an answer is told; graphile-worker warns when nobody listens.
  const ignore = () => undefined;
  return pool.on('error', ignore).on('connect', (client) => client.on('error', ignore));
}

/** @param beforeFirstJob is awaited by a worker, which it is given the id of, before it looks for jobs */
export function graphileOptions(
  beforeFirstJob: (workerId: string) => Promise<void>,
  log: LogWriter,
): WorkerSharedOptions & { noHandleSignals: boolean; events: WorkerEvents } {
  const events: WorkerEvents = new EventEmitter();
  events.on('pool:listen:success', ({ client }) => disableResponseTimeout(client));
  // It is asked one more thing then, and the end of the worker waits for the answer.
  events.on('pool:listen:release', ({ client }) =>
    enableResponseTimeout(client, SHORT_STATEMENT_LIMITS.statementMs),
  );
  return {
    schema: QUEUE_SCHEMA,
    pollInterval: POLL_MS,
    // The service has handlers of its own.
    noHandleSignals: true,
    logger: new Logger(() => (level, message) => {
      if (WARNING_LEVELS.includes(level)) log.warn({ queue: message }, 'the job queue');
      else log.debug({ queue: message }, 'the job queue');
    }),
    preset: {
      worker: {
        // As batches, if only of one: when one fails, the worker ends and begins anew. Nobody waits for a single
        // statement, and what nobody waits for ends the process when it fails.
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
      plugins: [
        {
          name: 'worker-lease',
          version: '1.0.0',
          worker: {
            hooks: { startWorker: (_context, { worker }) => beforeFirstJob(worker.workerPool.id) },
          },
        },
      ],
    },
    events,
  };
}
