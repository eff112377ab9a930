import { emailKey } from '../../../common/email-address.js';
import { type Statement } from '../../database/transactions/tenant-batch.js';
import { type WriteTransaction } from '../../database/transactions/tenant-transaction.js';
import { RESUME_JOBS } from '../../jobs/suspended-jobs.js';

interface MemberWithAddress {
  readonly userId: string;
  readonly name: string;
  readonly roleId: string;
  readonly roleName: string;
}

/** SQL of the operator's changes of a tenant, in transactions of the owner of the database. */
export class TenantAdministrationRepository {
  async findName(tx: WriteTransaction): Promise<string | null> {
    const statement = 'SELECT name FROM tenants WHERE id = $1';
    const tenant = await tx.queryOrNull<{ name: string }>(statement, [tx.tenantId]);
    return tenant?.name ?? null;
  }

  async setName(tx: WriteTransaction, name: string): Promise<void> {
    await tx.query('UPDATE tenants SET name = $2, updated_at = now() WHERE id = $1', [tx.tenantId, name]);
  }

  /** Null when the deletion of the tenant has begun. */
  findAdministratorRole(tx: WriteTransaction): Promise<{ id: string; name: string } | null> {
    return tx.queryOrNull<{ id: string; name: string }>(
      `SELECT id, name FROM roles WHERE tenant_id = $1 AND key = 'administrator'`,
      [tx.tenantId],
    );
  }

  /** Only with a verified address; several if it belongs to users of several issuers. */
  membersWithAddress(tx: WriteTransaction, email: string): Promise<MemberWithAddress[]> {
    return tx.query<MemberWithAddress>(
      `SELECT m.user_id AS "userId", coalesce(u.display_name, u.email) AS name, r.id AS "roleId", r.name AS "roleName"
         FROM members m JOIN users u ON u.id = m.user_id JOIN roles r ON r.tenant_id = $1 AND r.id = m.role_id
        WHERE m.tenant_id = $1 AND u.email_key = $2 AND u.email_verified`,
      [tx.tenantId, emailKey(email)],
    );
  }

  async setRole(tx: WriteTransaction, userId: string, roleId: string): Promise<void> {
    await tx.query(
      'UPDATE members SET role_id = $3, updated_at = now() WHERE tenant_id = $1 AND user_id = $2',
      [tx.tenantId, userId, roleId],
    );
  }

  /** Returns false if the user is already expected with this role. */
  async expect(tx: WriteTransaction, email: string, roleId: string): Promise<boolean> {
    const rows = await tx.query(
      `INSERT INTO expected_members AS e (tenant_id, email_key, email, role_id) VALUES ($1, $2, $3, $4)
       ON CONFLICT (tenant_id, email_key) DO UPDATE SET role_id = excluded.role_id
         WHERE e.role_id <> excluded.role_id
       RETURNING email`,
      [tx.tenantId, emailKey(email), email, roleId],
    );
    return rows.length > 0;
  }

  /** Returns false if no user with this address is expected. */
  async removeExpected(tx: WriteTransaction, email: string): Promise<boolean> {
    const rows = await tx.query(
      'DELETE FROM expected_members WHERE tenant_id = $1 AND email_key = $2 RETURNING email',
      [tx.tenantId, emailKey(email)],
    );
    return rows.length > 0;
  }

  /** Returns false if nothing changes. A distributed database has the time twice. */
  async setSuspended(tx: WriteTransaction, isSuspended: boolean): Promise<boolean> {
    const { isDistributed, accessVersions } = tx.layout;
    const set = (table: string, id: string): Statement => ({
      text: `UPDATE ${table} SET suspended_at = ${isSuspended ? 'now()' : 'NULL'}
              WHERE ${id} = $1 AND suspended_at IS ${isSuspended ? '' : 'NOT'} NULL RETURNING ${id}`,
      values: [tx.tenantId],
    });
    const [rows = []] = await tx.queryAll([
      set('tenants', 'id'),
      ...(isDistributed ? [set(accessVersions.table, accessVersions.tenantId)] : []),
    ]);
    return rows.length > 0;
  }

  /** Makes paused jobs and webhooks due. */
  async resumeWork(tx: WriteTransaction): Promise<void> {
    await tx.queryAll([
      { text: 'UPDATE webhook_schedules SET due_at = now() WHERE tenant_id = $1', values: [tx.tenantId] },
      { text: RESUME_JOBS, values: [tx.tenantId] },
    ]);
  }
}
