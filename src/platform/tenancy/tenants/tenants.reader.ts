import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/transactions/unit-of-work.js';
import { serviceContext } from '../access/access.directory.js';

/** Used storage and storage limit of a tenant ($1), in bytes. `limit` is null for the configured limit. */
export const STORAGE_OF_TENANT = `SELECT t.storage_limit AS "limit",
         (SELECT coalesce(sum(c.size), 0)::bigint FROM contents c WHERE c.tenant_id = $1) AS used
    FROM tenants t WHERE t.id = $1`;

/** Rows for a background task. */
export interface TenantsWithWork {
  /** Function of the schema that returns the tenants with such rows. */
  readonly function:
    | 'tenants_with_expired_access_grants'
    | 'tenants_with_expired_invitations'
    | 'tenants_with_expired_notifications'
    | 'tenants_with_expired_idempotency_keys'
    | 'tenants_with_expired_webhook_deliveries'
    | 'tenants_with_expired_document_previews'
    | 'tenants_with_deleted_documents'
    | 'tenants_with_processing_documents'
    | 'tenants_with_word_changes'
    | 'tenants_with_texts_to_fold'
    | 'tenants_with_values_to_index'
    | 'tenants_with_audit_entries_without_leaf'
    | 'tenants_with_audit_checkpoint_due'
    | 'tenants_with_due_exports'
    | 'tenants_with_approved_disposals';
  /** How long the rows have been due, as an interval of PostgreSQL: `90 days`. */
  readonly since?: string;
  /** The rows are due since the last midnight in this time zone, instead of `since`. */
  readonly sinceMidnightIn?: string;
}

interface TenantStorage {
  readonly limit: number | null;
  readonly used: number;
}

@Injectable()
export class TenantsReader {
  constructor(private readonly uow: UnitOfWork) {}

  async storageOf(tenantId: string): Promise<TenantStorage> {
    const [row] = await this.uow.read(serviceContext(tenantId), (tx) =>
      tx.query<TenantStorage>(STORAGE_OF_TENANT, [tenantId]),
    );
    return row ?? { limit: null, used: 0 };
  }

  /**
   * Runs the task for one tenant with work after another, until the signal is aborted; not for suspended tenants. After
   * an error, it still runs for the other tenants; the first error is thrown at the end.
   */
  async forEach(
    work: TenantsWithWork,
    task: (tenantId: string) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<void> {
    const { since = '0', sinceMidnightIn } = work;
    const before =
      sinceMidnightIn === undefined ? 'now() - $1::interval' : `date_trunc('day', now(), $1::text)`;
    const tenants = await this.uow.readAllTenants<{ id: string }>({
      text: `SELECT * FROM ${work.function}(${before}) AS t (id)`,
      values: [sinceMidnightIn ?? since],
    });
    if (tenants.length === 0) return;
    // A statement of its own: Citus refuses to join the function with a table.
    const suspended = await this.uow.readAllTenants<{ id: string }>({
      text: 'SELECT id FROM tenants WHERE suspended_at IS NOT NULL',
    });
    const paused = new Set(suspended.map(({ id }) => id));
    const errors: unknown[] = [];
    for (const { id } of tenants) {
      if (signal?.aborted) break;
      if (paused.has(id)) continue;
      await task(id).catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw errors[0];
  }
}
