import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { TENANT_CONDITION_ONCE } from '../tenant-table.js';

/** The first columns of indexes for searches, and the rows that the indexes have. */
const COLUMNS = [
  { table: 'document_texts', column: 'tenant_id', condition: 'true' },
  { table: 'document_values', column: 'field_id', condition: 'text_key IS NOT NULL' },
];

/** The size of a sample. */
const PAGES = 400;
/** Smaller shares are left out. */
const MIN_SHARE = 0.01;

/**
 * What searches need that look up only the searched words or texts, and not the tenant or the fields that most rows of the
 * index have (docs/adr/0007): a view, and a function that returns the shares of tenants and fields.
 */
export class SearchShares1795970000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    // IS TRUE keeps PostgreSQL from looking up the tenant in the index, too.
    await db.query(
      `CREATE VIEW document_texts_by_word AS SELECT * FROM document_texts WHERE (${TENANT_CONDITION_ONCE}) IS TRUE`,
    );
    await db.query('GRANT SELECT ON document_texts_by_word TO filing_service_role');
    await db.query(`
      CREATE FUNCTION search_shares() RETURNS TABLE (id uuid, share real)
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
      AS $$ BEGIN ${COLUMNS.map(sharesSql).join('')} END $$`);
    await db.query('REVOKE ALL ON FUNCTION search_shares FROM PUBLIC');
    await db.query('GRANT EXECUTE ON FUNCTION search_shares TO filing_service_role');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION search_shares');
    await db.query('DROP VIEW document_texts_by_word');
  }
}

/** A distributed table has no pages of its own, and so no shares. */
function sharesSql({ table, column, condition }: (typeof COLUMNS)[number]): string {
  const size = `pg_relation_size('${table}')`;
  const percent = `least(100, 100.0 * ${PAGES} * current_setting('block_size')::int / ${size})`;
  return `
        IF ${size} > 0 THEN
          RETURN QUERY SELECT * FROM (
            SELECT t.${column}, (count(*) / sum(count(*)) OVER ())::real AS share
              FROM ${table} t TABLESAMPLE SYSTEM (${percent}) WHERE ${condition} GROUP BY 1) s
           WHERE s.share >= ${MIN_SHARE};
        END IF;`;
}
