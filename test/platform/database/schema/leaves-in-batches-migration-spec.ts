import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LeavesInBatches1795910000000 } from '../../../../src/platform/database/schema/migrations/1795910000000-leaves-in-batches.js';
import { MigratedDatabase } from './migration.js';

describe('LeavesInBatches migration', () => {
  let database: MigratedDatabase;
  beforeAll(async () => {
    database = await MigratedDatabase.create();
  });
  afterAll(() => database.drop());

  it('keeps all leaves, and splits their batches when it is undone', async () => {
    const { owner } = database;
    const tenant = await database.insertTenant();
    const bytes = (size: number, from: number, count: number) =>
      Buffer.concat(Array.from({ length: count }, (_, index) => Buffer.alloc(size, from + index)));
    for (const [sequence, count] of [
      [256, 1],
      [257, 3],
    ] as const)
      await owner.query(
        'INSERT INTO audit_leaves (tenant_id, sequence, hashes, salts) VALUES ($1, $2, $3, $4)',
        [tenant, sequence, bytes(32, sequence - 256, count), bytes(16, sequence - 256, count)],
      );
    const leaf = (index: number) => ({
      sequence: 256 + index,
      hash: Buffer.alloc(32, index),
      salt: Buffer.alloc(16, index),
    });

    await database.undo(LeavesInBatches1795910000000.name);
    const leaves = 'SELECT sequence, hash, salt FROM audit_leaves ORDER BY sequence';
    expect(await owner.query(leaves)).toEqual([0, 1, 2, 3].map(leaf));

    await owner.runMigrations({ transaction: 'each' });
    const batches = 'SELECT sequence, hashes AS hash, salts AS salt FROM audit_leaves ORDER BY sequence';
    expect(await owner.query(batches)).toEqual([0, 1, 2, 3].map(leaf));
  });
});
