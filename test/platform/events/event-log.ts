import { UnitOfWork } from '../../../src/platform/database/transactions/unit-of-work.js';
import { serviceContext } from '../../../src/platform/tenancy/access/access.directory.js';
import { newId } from '../../../src/common/identifier.js';
import { type TestTenant } from '../../support/tenant.js';
import { waitUntil } from '../../support/wait-until.js';

export interface StoredEvent {
  readonly sequence: number;
  readonly entry_id: string;
  readonly type: string;
}

export function eventsOf({ service, id }: TestTenant): Promise<StoredEvent[]> {
  return service.query<StoredEvent>(
    'SELECT sequence::int, entry_id, type FROM events WHERE tenant_id = $1 ORDER BY sequence',
    [id],
  );
}

/** Waits until all audit entries of the tenant that are committed now have a sequence. Returns the event log. */
export async function sequenced(tenant: TestTenant): Promise<StoredEvent[]> {
  await waitUntil(
    async () => (await queuedOf(tenant)).length === 0,
    `the sequences of the tenant ${tenant.slug}`,
  );
  return eventsOf(tenant);
}

export async function queuedOf({ service, id }: TestTenant): Promise<string[]> {
  const rows = await service.query<{ id: string }>(
    'SELECT entry_id AS id FROM event_queue WHERE tenant_id = $1 ORDER BY entry_id',
    [id],
  );
  return rows.map((row) => row.id);
}

/** Ids of the tenant's audit entries, oldest first. */
export async function entriesOf({ service, id }: TestTenant): Promise<string[]> {
  const rows = await service.query<{ id: string }>(
    'SELECT id FROM audit_entries WHERE tenant_id = $1 ORDER BY occurred_at, id',
    [id],
  );
  return rows.map((row) => row.id);
}

export const sequencesOf = (events: readonly StoredEvent[]) => events.map(({ sequence }) => sequence);

export const firstSequences = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Records audit entries about new tags in one transaction. */
export function recordTags({ id, service }: TestTenant, count = 1, app = service.app): Promise<void> {
  return app.get(UnitOfWork).write(serviceContext(id), (tx) => {
    for (let i = 0; i < count; i += 1) tx.record({ action: 'TagCreated', subjectId: newId(), summary: null });
    return Promise.resolve();
  });
}
