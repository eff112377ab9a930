import { PrimaryColumn } from 'typeorm';

/** Base of the entities of tenant tables, whose keys begin with the tenant. */
export abstract class TenantRow {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;
}

/** A row with an id. */
export abstract class IdentifiedRow extends TenantRow {
  @PrimaryColumn('uuid')
  id!: string;
}
