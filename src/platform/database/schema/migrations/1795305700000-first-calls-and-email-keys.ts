import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { emailKey } from '../../../../common/email-address.js';
import { caseFold } from '../../../../common/text.js';

const TABLES = ['members', 'audit_entries', 'expected_members', 'invitations'];

/** Both rules give an ASCII address the same key, unless its domain is invalid; no token has such an address. */
const NOT_ASCII = 'octet_length(email) > char_length(email)';

/**
 * Adds the time of each member's first request, and compares addresses by {@link emailKey} instead of by case
 * folding. SQL has no IDNA, so the keys are computed here. Few addresses need that.
 */
export class FirstCallsAndEmailKeys1795305700000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE members ADD COLUMN first_called_at timestamptz(3)');
    await ofAllTenants(db, async () => {
      // Accepting an invitation and becoming a member as an expected member also write an audit entry of that actor.
      await db.query(`
        UPDATE members m SET first_called_at = (
          SELECT min(e.occurred_at) FROM audit_entries e WHERE e.tenant_id = m.tenant_id AND e.actor_id = m.user_id)
         WHERE EXISTS (
          SELECT FROM audit_entries e WHERE e.tenant_id = m.tenant_id AND e.actor_id = m.user_id)`);
      await setKeys(db, emailKey);
    });
  }

  async down(db: QueryRunner): Promise<void> {
    await ofAllTenants(db, () => setKeys(db, caseFold));
    await db.query('ALTER TABLE members DROP COLUMN first_called_at');
  }
}

/** Runs `work` for the rows of all tenants. Row level security is forced again afterwards. */
async function ofAllTenants(db: QueryRunner, work: () => Promise<void>): Promise<void> {
  for (const table of TABLES) await db.query(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
  await work();
  for (const table of TABLES) await db.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
}

async function setKeys(db: QueryRunner, keyOf: (email: string) => string): Promise<void> {
  const users = (await db.query(`SELECT id, email FROM users WHERE ${NOT_ASCII}`)) as {
    id: string;
    email: string;
  }[];
  await db.query(
    'UPDATE users u SET email_key = k.key FROM unnest($1::uuid[], $2::text[]) AS k (id, key) WHERE u.id = k.id',
    [users.map(({ id }) => id), users.map(({ email }) => keyOf(email))],
  );
  await setUniqueKeys(db, keyOf, 'expected_members', 'true');
  await setUniqueKeys(db, keyOf, 'invitations', `status = 'Pending'`);
  // When two have the same address by the new rule, one stays.
  await db.query(`DELETE FROM expected_members WHERE email_key LIKE ' %'`);
  await db.query(`
    UPDATE invitations SET status = 'Expired', pending_role_id = NULL
     WHERE status = 'Pending' AND email_key LIKE ' %'`);
}

/** A key with a leading space belongs to no address, so old keys do not conflict with new ones during the update. */
async function setUniqueKeys(
  db: QueryRunner,
  keyOf: (email: string) => string,
  table: string,
  isUnique: string,
): Promise<void> {
  await db.query(`UPDATE ${table} SET email_key = ' ' || email_key WHERE ${isUnique} AND ${NOT_ASCII}`);
  const rows = (await db.query(
    `SELECT tenant_id, email, email_key FROM ${table} WHERE ${isUnique} AND email_key LIKE ' %'
      ORDER BY tenant_id, created_at, email_key`,
  )) as { tenant_id: string; email: string; email_key: string }[];
  for (const row of rows) {
    await db.query(
      `UPDATE ${table} SET email_key = $3 WHERE tenant_id = $1 AND email_key = $2 AND ${isUnique}
          AND NOT EXISTS (SELECT FROM ${table} o WHERE o.tenant_id = $1 AND o.email_key = $3 AND ${isUnique})`,
      [row.tenant_id, row.email_key, keyOf(row.email)],
    );
  }
}
