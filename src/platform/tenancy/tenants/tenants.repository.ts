import { Injectable } from '@nestjs/common';
import { emailKey } from '../../../common/email-address.js';
import { newId } from '../../../common/identifier.js';
import { Problem } from '../../../common/problem.js';
import { nameKey } from '../../../common/text.js';
import { type BuiltInRole } from '../../../common/vocabulary/built-in-roles.js';
import { BUILT_IN_ROLES_VERSION } from '../../database/schema/built-in-roles.js';
import { type WriteTransaction } from '../../database/transactions/tenant-transaction.js';

@Injectable()
export class TenantsRepository {
  async insert(tx: WriteTransaction, name: string): Promise<void> {
    await tx.queryAll([
      ...tx.layout.lockReferenceTables,
      ...tx.layout.insertTenant(tx.tenantId, name, BUILT_IN_ROLES_VERSION),
      { text: 'INSERT INTO event_logs (tenant_id, id) VALUES ($1, $2)', values: [tx.tenantId, newId()] },
    ]);
  }

  /** Returns the ids of the new roles by key. */
  async addRoles(tx: WriteTransaction, roles: readonly BuiltInRole[]): Promise<ReadonlyMap<string, string>> {
    const rows = roles.map((role) => ({ id: newId(), ...role, name_key: nameKey(role.name) }));
    const { newRows } = tx.layout;
    await tx.query(
      `INSERT INTO roles (tenant_id, id, key, name, name_key, permissions)
       SELECT ${newRows.tenantId}, n.id, n.key, n.name, n.name_key, n.permissions
         FROM ${newRows.from('jsonb_to_recordset($2::jsonb) AS n (id uuid, key text, name text, name_key text, permissions text[])')}`,
      [tx.tenantId, JSON.stringify(rows)],
    );
    return new Map(rows.map(({ key, id }) => [key, id]));
  }

  async expectMember(tx: WriteTransaction, email: string, roleId: string): Promise<void> {
    await tx.query(
      'INSERT INTO expected_members (tenant_id, email_key, email, role_id) VALUES ($1, $2, $3, $4)',
      [tx.tenantId, emailKey(email), email, roleId],
    );
  }

  /**
   * Makes the slug (see `isAllowedSlug`) the current one of the transaction's tenant, which must not have another
   * current slug. A slug is available if it is unknown, if it is an expired former slug, or if it is a former slug of
   * the same tenant. Throws `tenant.slug-unavailable` otherwise.
   *
   * Concurrent claims conflict on the primary key: the later one waits for the first one, and then finds the slug
   * taken.
   */
  async claimSlug(tx: WriteTransaction, slug: string): Promise<void> {
    const values = [slug, tx.tenantId];
    const inserted = await tx.query(
      'INSERT INTO tenant_slugs (slug, tenant_id) VALUES ($1, $2) ON CONFLICT (slug) DO NOTHING RETURNING slug',
      values,
    );
    if (inserted.length > 0) return;
    // Not with ON CONFLICT DO UPDATE: up to PostgreSQL 17, it checks row-level security before its WHERE, and fails for
    // a row of another tenant. An UPDATE skips such a row.
    const taken = await tx.query(
      `UPDATE tenant_slugs SET tenant_id = $2, created_at = now(), expires_at = NULL
        WHERE slug = $1 AND (expires_at <= now() OR (expires_at IS NOT NULL AND tenant_id = $2))
        RETURNING slug`,
      values,
    );
    if (taken.length === 0) throw new Problem('tenant.slug-unavailable');
  }
}
