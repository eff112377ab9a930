import type pg from 'pg';
import { activeSpan, errorType } from '../../telemetry/span.js';
import { TenantBatch } from '../transactions/tenant-batch.js';
import { summaryOf } from './query-summary.js';

type Query = (...given: unknown[]) => unknown;

/** An error code of PostgreSQL has five characters. Codes of pg and Node are longer. */
const SQLSTATE = /^[0-9A-Z]{5}$/;

/**
 * Creates a span for each round trip to the database within a traced request or job, for batches as well as for
 * TypeORM. The span has the verb and the tables of the statements, never values or error messages.
 *
 * Call it for each new connection of a pool, and only when traces are sent.
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
    const end = (error?: unknown): void => {
      if (error) {
        const type = errorType(error);
        if (SQLSTATE.test(type)) span.set({ 'db.response.status_code': type });
        span.fail(type);
      }
      span.end();
    };
    try {
      const callback = given.at(-1);
      if (typeof callback === 'function') {
        const callbackWithEnd = (...result: unknown[]): void => {
          end(result[0]);
          (callback as Query)(...result);
        };
        return query(...given.slice(0, -1), callbackWithEnd);
      }
      const result = query(...given);
      // Handles the rejection here for the span only; the caller gets the same promise and handles it, too.
      const done: Promise<unknown> = result instanceof TenantBatch ? result.done : Promise.resolve(result);
      void done.then(() => end(), end);
      return result;
    } catch (error) {
      end(error);
      throw error;
    }
  };
}

/** pg accepts a text, an object with a text, or a Submittable. */
function textsOf(query: unknown): string[] {
  if (query instanceof TenantBatch) return query.statements.map(({ text }) => text);
  if (typeof query === 'string') return [query];
  const { text } = query as { text?: unknown };
  return [typeof text === 'string' ? text : ''];
}
