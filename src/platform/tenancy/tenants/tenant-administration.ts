import { type WriteTransaction } from '../../database/transactions/tenant-transaction.js';
import { type UnitOfWork } from '../../database/transactions/unit-of-work.js';
import { serviceContext } from '../access/access.directory.js';
import { TenantAdministrationRepository } from './tenant-administration.repository.js';

/** The tenant cannot be changed in this way now. The message is for the operator. */
export class TenantChangeRefused extends Error {}

/** `expected`: becomes administrator with the first request. `promoted`: was a member with another role. */
type AddedAdministrator = 'expected' | 'promoted' | 'unchanged';

/** Changes of tenants by the operator, for the command line. `uow` must connect as the owner of the database. */
export class TenantAdministration {
  private readonly tenants = new TenantAdministrationRepository();

  constructor(private readonly uow: UnitOfWork) {}

  /** Returns false if the tenant already has this name. */
  rename(tenantId: string, name: string): Promise<boolean> {
    return this.change(tenantId, async (tx) => {
      const before = await this.tenants.findName(tx);
      if (before === null || before === name) return false;
      await this.tenants.setName(tx, name);
      tx.record({ action: 'TenantRenamed', subjectId: tenantId, summary: `${before} → ${name}` });
      return true;
    });
  }

  /**
   * A member with this verified address gets the role of administrators at once, another user with the first request.
   *
   * @param insteadOf Address of an expected administrator who is removed
   * @throws TenantChangeRefused when nobody is expected with the address `insteadOf`
   */
  addAdministrator(tenantId: string, email: string, insteadOf: string | null): Promise<AddedAdministrator> {
    return this.change(tenantId, async (tx) => {
      const role = await this.tenants.findAdministratorRole(tx);
      if (!role) throw deletionHasBegun();
      if (insteadOf !== null && !(await this.tenants.removeExpected(tx, insteadOf)))
        throw new TenantChangeRefused(`No administrator with the address ${insteadOf} is expected.`);
      const members = await this.tenants.membersWithAddress(tx, email);
      const others = members.filter(({ roleId }) => roleId !== role.id);
      for (const { userId, name, roleName } of others) {
        await this.tenants.setRole(tx, userId, role.id);
        const summary = `${name}: ${roleName} → ${role.name}`;
        tx.record({ action: 'MemberRoleChanged', subjectId: userId, summary, related: { roleId: role.id } });
      }
      const isExpected = members.length === 0 && (await this.tenants.expect(tx, email, role.id));
      if (isExpected || insteadOf !== null) {
        const summary = insteadOf === null ? email : `${insteadOf} → ${email}`;
        tx.record({ action: 'TenantAdministratorAdded', subjectId: tenantId, summary });
      }
      if (others.length > 0) return 'promoted';
      return isExpected ? 'expected' : 'unchanged';
    });
  }

  /**
   * Refuses all requests to the tenant, and pauses its jobs, webhooks and tasks. What is running may end. Returns false
   * if the tenant is already suspended.
   */
  suspend(tenantId: string): Promise<boolean> {
    return this.change(tenantId, async (tx) => {
      if (!(await this.tenants.setSuspended(tx, true))) return false;
      tx.record({ action: 'TenantSuspended', subjectId: tenantId, summary: null });
      return true;
    });
  }

  /** Returns false if the tenant is not suspended. Throws TenantChangeRefused when its deletion has begun. */
  resume(tenantId: string): Promise<boolean> {
    return this.change(tenantId, async (tx) => {
      if (!(await this.tenants.findAdministratorRole(tx))) throw deletionHasBegun();
      if (!(await this.tenants.setSuspended(tx, false))) return false;
      await this.tenants.resumeWork(tx);
      tx.record({ action: 'TenantResumed', subjectId: tenantId, summary: null });
      return true;
    });
  }

  /** A new access version makes all instances read again what they have cached of the tenant. */
  private change<T>(tenantId: string, work: (tx: WriteTransaction) => Promise<T>): Promise<T> {
    return this.uow.write(serviceContext(tenantId), async (tx) => {
      await tx.startAccessChange();
      return work(tx);
    });
  }
}

function deletionHasBegun(): TenantChangeRefused {
  return new TenantChangeRefused('The deletion of this tenant has begun. Repeat it to complete it.');
}
