import { emailKey } from '../../../common/email-address.js';
import { newId } from '../../../common/identifier.js';
import { Problem } from '../../../common/problem.js';
import { caseFold } from '../../../common/text.js';
import { type WriteTransaction } from '../../database/transactions/tenant-transaction.js';
import { type UnitOfWork } from '../../database/transactions/unit-of-work.js';
import { BUILT_IN_ROLES, type BuiltInRoleKey } from '../../../common/vocabulary/built-in-roles.js';
import { serviceContext } from '../access/access.directory.js';
import { claimSlug } from './claim-slug.js';
import { isAvailableForm } from './slug.js';

export interface NewTenant {
  readonly slug: string;
  readonly name: string;
  /** Addresses that become members, with which built-in role, at first sight of a verified token. */
  readonly expected: readonly { readonly email: string; readonly roleKey: BuiltInRoleKey }[];
}

/**
 * Makes tenants. Only the owner's data source may add one, so this serves the command line and the demo,
 * never a request.
 */
export class TenantsService {
  constructor(private readonly uow: UnitOfWork) {}

  /** The new tenant's id; `tenant.slug-unavailable` when the slug cannot be had. */
  create({ slug, name, expected }: NewTenant): Promise<string> {
    if (!isAvailableForm(slug)) throw new Problem('tenant.slug-unavailable');
    const tenantId = newId();
    return this.uow.write(serviceContext(tenantId), async (tx) => {
      await tx.query('INSERT INTO tenants (id, name) VALUES ($1, $2)', [tenantId, name]);
      await claimSlug(tx, slug);
      const roles = await this.addBuiltInRoles(tx);
      for (const { email, roleKey } of expected) {
        await tx.query(
          'INSERT INTO expected_members (tenant_id, email_key, email, role_id) VALUES ($1, $2, $3, $4)',
          [tenantId, emailKey(email), email, roles.get(roleKey)],
        );
      }
      tx.record({ action: 'TenantCreated', subjectId: tenantId, summary: `${slug}: ${name}` });
      return tenantId;
    });
  }

  private async addBuiltInRoles(tx: WriteTransaction): Promise<Map<BuiltInRoleKey, string>> {
    const ids = new Map<BuiltInRoleKey, string>();
    for (const { key, name, permissions } of BUILT_IN_ROLES) {
      const id = newId();
      ids.set(key, id);
      await tx.query(
        `INSERT INTO roles (tenant_id, id, key, name, name_key, permissions) VALUES ($1, $2, $3, $4, $5, $6)`,
        [tx.tenantId, id, key, name, caseFold(name), permissions],
      );
    }
    return ids;
  }
}
