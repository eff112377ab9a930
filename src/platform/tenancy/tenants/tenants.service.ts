import { newId } from '../../../common/identifier.js';
import { Problem } from '../../../common/problem.js';
import { BUILT_IN_ROLES, type BuiltInRoleKey } from '../../../common/vocabulary/built-in-roles.js';
import { type WriteTransaction } from '../../database/transactions/tenant-transaction.js';
import { type UnitOfWork } from '../../database/transactions/unit-of-work.js';
import { serviceContext } from '../access/access.directory.js';
import { isAllowedSlug } from './slug.js';
import { TenantsRepository } from './tenants.repository.js';

interface NewTenant {
  readonly slug: string;
  readonly name: string;
  /** A user becomes a member with the first request if the user's verified e-mail address is listed here. */
  readonly expectedMembers: readonly { readonly email: string; readonly roleKey: BuiltInRoleKey }[];
}

/**
 * Creates tenants, for the command line and the demo. `uow` must connect as the owner of the database: the service
 * role cannot create tenants.
 */
export class TenantsService {
  private readonly tenants = new TenantsRepository();

  constructor(private readonly uow: UnitOfWork) {}

  /**
   * Returns the new tenant's id. Throws `tenant.slug-unavailable` when the slug is invalid, reserved or taken.
   *
   * @param fill Adds the first rows of the tenant in the same transaction
   */
  create(
    { slug, name, expectedMembers }: NewTenant,
    fill?: (tx: WriteTransaction) => Promise<void>,
  ): Promise<string> {
    if (!isAllowedSlug(slug)) throw new Problem('tenant.slug-unavailable');
    const tenantId = newId();
    return this.uow.write(serviceContext(tenantId), async (tx) => {
      await this.tenants.insert(tx, name);
      await this.tenants.claimSlug(tx, slug);
      const roleIds = await this.tenants.addRoles(tx, BUILT_IN_ROLES);
      for (const { email, roleKey } of expectedMembers)
        await this.tenants.expectMember(tx, email, roleIds.get(roleKey) ?? '');
      tx.record({ action: 'TenantCreated', subjectId: tenantId, summary: `${slug}: ${name}` });
      await fill?.(tx);
      return tenantId;
    });
  }
}
