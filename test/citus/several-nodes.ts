import { REFERENCE_TABLES } from '../../src/platform/database/distribution/distributed-schema.js';

/**
 * All statements of the service that may touch another node than that of the tenant's shard (docs/adr/0035). Each other one
 * goes to one shard.
 */
export const SEVERAL_NODES = [
  {
    name: 'writes to tables that are copied to every node',
    statements: new RegExp(`\\b(INSERT INTO|UPDATE|DELETE FROM) (${REFERENCE_TABLES.join('|')})\\b`),
    nodes: 'all',
  },
  {
    name: 'the tenants of a user (docs/adr/0032)',
    statements: /\bFROM own_tenants\b/,
    nodes: 'all',
  },
  {
    name: 'the tenants with work for a background task (docs/adr/0043)',
    statements: /\bFROM tenants_with_\w+\(/,
    nodes: 'all',
  },
  {
    name: 'the tenants with audit entries that have no sequence yet (docs/adr/0039)',
    statements: /^SELECT DISTINCT tenant_id AS "tenantId" FROM event_queue\b/,
    nodes: 'all',
  },
  {
    name: 'the job queue',
    statements: /\bgraphile_worker\./,
    nodes: 'coordinator',
  },
] as const;
