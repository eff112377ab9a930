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
import { directUrlOf } from '../database/data-source.js';
import { QUEUE_SCHEMA } from '../database/schema/queue-schema.js';
import { type LogWriter } from '../logging/log.js';

/** Workers are notified of new jobs. Polling is for retries that become due, and for missed notifications. */
const POLL_MS = 2000;
/** Log levels of graphile-worker that are logged as warnings. The others are logged as debug messages. */
const WARNING_LEVELS: readonly string[] = ['error', 'warning'];

/**
 * Connections of a worker, separate from those of requests. One listens for new jobs; the others take and finish
 * jobs.
 */
export function openQueuePool(dataSource: DataSource, concurrency: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: directUrlOf(dataSource),
    application_name: 'filing-service queue',
    max: 1 + Math.min(concurrency, 4),
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    options: limitOptions(SHORT_STATEMENT_LIMITS),
    onConnect: (client) => handleConnectionLoss(client as pg.Client, SHORT_STATEMENT_LIMITS.statementMs),
  });
  // graphile-worker warns about a pool without error listeners. The pending query rejects anyway.
  const ignore = () => undefined;
  return pool.on('error', ignore).on('connect', (client) => client.on('error', ignore));
}

/** @param beforeFirstJob Called with the worker's id. The worker waits for it before it takes jobs. */
export function graphileOptions(
  beforeFirstJob: (workerId: string) => Promise<void>,
  log: LogWriter,
): WorkerSharedOptions & { noHandleSignals: boolean; events: WorkerEvents } {
  const events: WorkerEvents = new EventEmitter();
  events.on('pool:listen:success', ({ client }) => disableResponseTimeout(client));
  // One more statement is sent on this connection, and the worker waits for its answer before it ends.
  events.on('pool:listen:release', ({ client }) =>
    enableResponseTimeout(client, SHORT_STATEMENT_LIMITS.statementMs),
  );
  return {
    schema: QUEUE_SCHEMA,
    pollInterval: POLL_MS,
    // The service has its own signal handlers.
    noHandleSignals: true,
    logger: new Logger(() => (level, message) => {
      log[WARNING_LEVELS.includes(level) ? 'warn' : 'debug']({ queue: message }, 'message of the job queue');
    }),
    preset: {
      worker: {
        // Uses batches, even of a single job. When a batch fails, the worker ends and is replaced. Without batches, a
        // failure would be an unhandled rejection, which ends the process.
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
