import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { queryOf } from '../distribution/distributed-schema.js';
import { inTransaction } from '../in-transaction.js';
import { withVisibleRows } from './visible-rows.js';

const ORIGIN = `
  SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system,
         (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) AS database`;

/**
 * Begins new event logs if this is not the database that the logs were written in: a copy, or restored from a backup.
 * Clients may have read events that the backup lacks, and their places may have been given to others (docs/adr/0039).
 * A recovery of the whole server does not change its identity; cursors detect that by the id of their event.
 */
export async function checkEventLogOrigin(client: pg.Client, log: (line: string) => void): Promise<void> {
  const { rows } = await client.query<{ isKnown: boolean; isSame: boolean }>(
    `SELECT EXISTS (SELECT FROM event_log_origin) AS "isKnown",
            EXISTS (SELECT FROM event_log_origin l JOIN (${ORIGIN}) o
                      ON o.system = l.system_identifier AND o.database = l.database_oid) AS "isSame"`,
  );
  if (rows[0]?.isSame) return;
  if (rows[0]?.isKnown && (await beginNewEventLogs(client)) > 0)
    log('The database was copied or restored: new event logs, which refuse the cursors of the former ones.');
  await client.query(`INSERT INTO event_log_origin (system_identifier, database_oid) ${ORIGIN}`);
}

/** Gives all event logs another id. Events keep their sequences. Returns the number of logs. */
export function beginNewEventLogs(client: pg.Client): Promise<number> {
  return inTransaction(client, async () => {
    // Not gen_random_uuid(), because Citus refuses volatile functions in an UPDATE.
    const { rowCount } = await withVisibleRows(queryOf(client), ['event_logs'], () =>
      client.query('UPDATE event_logs SET id = md5(id::text || $1::text)::uuid', [randomUUID()]),
    );
    await client.query('DELETE FROM event_log_origin');
    return rowCount ?? 0;
  });
}
