import type pg from 'pg';
import { activeSpan, errorType } from '../../telemetry/span.js';
import { TenantBatch } from '../transactions/tenant-batch.js';
import { summaryOf } from './query-summary.js';

type Query = (...given: unknown[]) => unknown;

/** PostgreSQL's codes of faults, five characters; what pg and Node report have longer ones. */
const SQLSTATE = /^[0-9A-Z]{5}$/;

/**
 * Makes a span of each trip to the database that belongs to a traced request or job, whoever sends it: batches, and
 * what goes through TypeORM. It has what is done to which tables, never values, and never the message of a fault.
 *
 * To be called for each new connection of a pool, and only where traces are sent.
 */
export function traceConnection(client: pg.Client): void {
  const query = client.query.bind(client) as Query;
  const where = {
    'db.system.name': 'postgresql',
    'db.namespace': client.database,
    'server.address': client.host,
    'server.port': client.port,
  };
  (client as unknown as { query: Query }).query = (...given) => {
    const parent = activeSpan();
    if (!parent?.isRecording) return query(...given);
    const texts = textsOf(given[0]);
    const { operation, summary } = summaryOf(texts);
    const span = parent.child(summary, 'CLIENT', {
      ...where,
      'db.operation.name': operation,
      'db.query.summary': summary,
      'db.operation.batch.size': texts.length > 1 ? texts.length : undefined,
    });
    const end = (fault?: unknown): void => {
      if (fault) {
        const type = errorType(fault);
        if (SQLSTATE.test(type)) span.set({ 'db.response.status_code': type });
        span.fail(type);
      }
      span.end();
    };
    try {
      const callback = given.at(-1);
      if (typeof callback === 'function') {
        const told = (...result: unknown[]): void => {
          end(result[0]);
          (callback as Query)(...result);
        };
        return query(...given.slice(0, -1), told);
      }
      const result = query(...given);
      // A second one who waits: whoever called hears of faults by themselves.
      const done: Promise<unknown> = result instanceof TenantBatch ? result.done : Promise.resolve(result);
      void done.then(() => end(), end);
      return result;
    } catch (error) {
      end(error);
      throw error;
    }
  };
}

/** pg takes a text, an object with one, or what sends itself. */
function textsOf(query: unknown): string[] {
  if (query instanceof TenantBatch) return query.statements.map(({ text }) => text);
  if (typeof query === 'string') return [query];
  const { text } = query as { text?: unknown };
  return [typeof text === 'string' ? text : ''];
}
