/** User of a shared resource. */
export interface Owner {
  /** Id of the tenant. */
  readonly tenant: string;
  /** Id of the user, or a fixed name for work without a user. */
  readonly caller: string;
}

/** Tenant of callers whose membership is not confirmed. */
export const NO_TENANT = '-';

export interface ShareLimits {
  readonly total: number;
  readonly tenant: number;
  /** Limit of one caller in all tenants. */
  readonly caller: number;
}

/** Counts the use of a shared resource: in total, by tenant and by caller. */
export class Shares {
  private inUse = 0;
  private readonly byTenant = new Map<string, number>();
  private readonly byCaller = new Map<string, number>();

  constructor(readonly limits: ShareLimits) {}

  /** The limit that `amount` more would exceed, checked from caller to total; null if none. */
  exceeded({ tenant, caller }: Owner, amount: number): keyof ShareLimits | null {
    if ((this.byCaller.get(caller) ?? 0) + amount > this.limits.caller) return 'caller';
    if ((this.byTenant.get(tenant) ?? 0) + amount > this.limits.tenant) return 'tenant';
    return this.inUse + amount > this.limits.total ? 'total' : null;
  }

  /** @param amount negative to release */
  add({ tenant, caller }: Owner, amount: number): void {
    this.inUse += amount;
    addTo(this.byTenant, tenant, amount);
    addTo(this.byCaller, caller, amount);
  }
}

/** Removes entries that become 0, so that the map contains only current owners. */
function addTo(counts: Map<string, number>, key: string, amount: number): void {
  const count = (counts.get(key) ?? 0) + amount;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
