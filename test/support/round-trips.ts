import { jest } from '@jest/globals';
import { TenantBatch } from '../../src/platform/database/transactions/tenant-batch.js';

/** Number of round trips to the database that `work` makes in transactions of the user. Background work is not counted. */
export async function countRoundTrips(userId: string, work: () => Promise<void>): Promise<number> {
  const submit = jest.spyOn(TenantBatch.prototype, 'submit');
  try {
    await work();
    /** Connections with an open transaction of the user. */
    const own = new Set<unknown>();
    let count = 0;
    submit.mock.calls.forEach(([connection], index) => {
      const { statements } = submit.mock.contexts[index] as TenantBatch;
      const text = JSON.stringify(statements.map((statement) => [statement.text, statement.values]));
      const isOwn = text.includes('app.actor_id') ? text.includes(userId) : own.has(connection);
      if (isOwn) count += 1;
      const isOpen = isOwn && (own.has(connection) || text.includes('"BEGIN')) && !text.includes('"COMMIT"');
      if (isOpen) own.add(connection);
      else own.delete(connection);
    });
    return count;
  } finally {
    submit.mockRestore();
  }
}
