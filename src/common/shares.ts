/** Who uses a shared resource. */
export interface Owner {
  /** Id of the tenant. */
  readonly tenant: string;
  /** Id of the user, or another name of who works there. */
  readonly caller: string;
}

/** The tenant of callers who are not, or not yet, known to be members of one. */
export const NO_TENANT = '-';

export interface ShareLimits {
  /** Of all tenants together. */
  readonly total: number;
  readonly tenant: number;
  /** Of one caller in all tenants. */
  readonly caller: number;
}

/** Counts how much of a resource is in use: in all, by each tenant and by each caller. */
export class Shares {
  private inUse = 0;
  private readonly byTenant = new Map<string, number>();
  private readonly byCaller = new Map<string, number>();

  constructor(readonly limits: ShareLimits) {}

  /** Which limit `amount` more would exceed; the narrowest one, null for none. */
  exceeded({ tenant, caller }: Owner, amount: number): keyof ShareLimits | null {
    if ((this.byCaller.get(caller) ?? 0) + amount > this.limits.caller) return 'caller';
    if ((this.byTenant.get(tenant) ?? 0) + amount > this.limits.tenant) return 'tenant';
    return this.inUse + amount > this.limits.total ? 'total' : null;
  }

  /** @param amount negative to give back */
  add({ tenant, caller }: Owner, amount: number): void {
    this.inUse += amount;
    addTo(this.byTenant, tenant, amount);
    addTo(this.byCaller, caller, amount);
  }
}

/** Entries of nothing are removed: there are never more than there are owners at this moment. */
function addTo(counts: Map<string, number>, key: string, amount: number): void {
  const count = (counts.get(key) ?? 0) + amount;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
