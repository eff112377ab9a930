import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { nameKey } from '../../../../common/text.js';
import { type MigrationWithNotes } from '../migration-with-notes.js';

const NAMES = [
  { table: 'files', name: 'number', key: 'number_key', owner: '' },
  { table: 'tags', name: 'name', key: 'name_key', owner: '' },
  { table: 'roles', name: 'name', key: 'name_key', owner: '' },
  { table: 'saved_views', name: 'name', key: 'name_key', owner: 'owner_id' },
] as const;

/** Printable ASCII without double blanks has the same key by the former and the new rule. */
const CAN_DIFFER = String.raw`~ '[^\x20-\x7e]|  '`;

interface Row {
  readonly tenant_id: string;
  readonly id: string;
  readonly name: string;
  readonly key: string;
}

/**
 * Compares names by {@link nameKey} instead of by case folding. Of two that are the same now, one keeps its former
 * key, and both keep working.
 */
export class NameKeys1795655000000 implements MigrationInterface, MigrationWithNotes {
  readonly notes: string[] = [];

  async up(db: QueryRunner): Promise<void> {
    for (const names of NAMES) {
      await db.query(`ALTER TABLE ${names.table} NO FORCE ROW LEVEL SECURITY`);
      const kept = await this.setKeys(db, names);
      await db.query(`ALTER TABLE ${names.table} FORCE ROW LEVEL SECURITY`);
      if (kept > 0) {
        this.notes.push(
          `${kept} of ${names.table} have a ${names.name} that differs from another only in blanks, unseen characters or compatibility forms. They stay as they are; new ones are refused.`,
        );
      }
    }
  }

  /** Nothing: the former rule accepts these keys, too. */
  async down(): Promise<void> {}

  /** Returns the number of rows that keep their former key. */
  private async setKeys(
    db: QueryRunner,
    { table, name, key, owner }: (typeof NAMES)[number],
  ): Promise<number> {
    const rows = (await db.query(
      `SELECT tenant_id, id, ${name} AS name, ${key} AS key FROM ${table}
        WHERE ${name} ${CAN_DIFFER} ORDER BY tenant_id, created_at, id`,
    )) as Row[];
    const changed = rows.filter((row) => nameKey(row.name) !== row.key);
    let kept = 0;
    for (const row of changed) {
      const [, count] = (await db.query(
        `UPDATE ${table} t SET ${key} = $3 WHERE t.tenant_id = $1 AND t.id = $2
            AND NOT EXISTS (SELECT FROM ${table} o WHERE o.tenant_id = $1 AND o.${key} = $3
                             ${owner && `AND o.${owner} = t.${owner}`})`,
        [row.tenant_id, row.id, nameKey(row.name)],
      )) as [unknown, number];
      if (count === 0) kept += 1;
    }
    return kept;
  }
}
