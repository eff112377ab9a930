import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { withVisibleRows } from '../visible-rows.js';

const ADD = `
  UPDATE files SET search_starts = search_starts || ARRAY(
           SELECT DISTINCT substr(search_text, n, 6) FROM generate_series(1, length(search_text) - 5) n
            WHERE substr(search_text, n, 6) ~ '^[0-9]{6}$')
   WHERE search_text ~ '[0-9]{6}'`;

const REMOVE = `
  UPDATE files SET search_starts = ARRAY(SELECT s FROM unnest(search_starts) s WHERE length(s) < 6)
   WHERE search_text ~ '[0-9]{6}'`;

/** Files are also found by the sequences of six digits of their numbers and names (docs/adr/0007). */
export class DigitsOfFiles1795950000000 implements MigrationInterface {
  up(db: QueryRunner): Promise<void> {
    return update(db, ADD);
  }

  down(db: QueryRunner): Promise<void> {
    return update(db, REMOVE);
  }
}

async function update(db: QueryRunner, statement: string): Promise<void> {
  await withVisibleRows(
    (text, values) => db.query(text, values),
    ['files'],
    () => db.query(statement),
  );
}
