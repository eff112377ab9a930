import { expect, it } from '@jest/globals';
import { describeMigration } from './migration.js';

describeMigration('LeavesInBatches1795910000000', (database) => {
  it('keeps all leaves, and splits their batches when it is undone', async () => {
    await database.migrate();
    const tenant = await database.insertTenant();
    const bytes = (size: number, from: number, count: number) =>
      Buffer.concat(Array.from({ length: count }, (_, index) => Buffer.alloc(size, from + index)));
    for (const [sequence, count] of [
      [256, 1],
      [257, 3],
    ] as const)
      await database.query(
        'INSERT INTO audit_leaves (tenant_id, sequence, hashes, salts) VALUES ($1, $2, $3, $4)',
        [tenant, sequence, bytes(32, sequence - 256, count), bytes(16, sequence - 256, count)],
      );
    const leaf = (index: number) => ({
      sequence: 256 + index,
      hash: Buffer.alloc(32, index),
      salt: Buffer.alloc(16, index),
    });

    await database.undo();
    const leaves = 'SELECT sequence, hash, salt FROM audit_leaves ORDER BY sequence';
    expect(await database.query(leaves)).toEqual([0, 1, 2, 3].map(leaf));

    await database.migrate();
    const batches = 'SELECT sequence, hashes AS hash, salts AS salt FROM audit_leaves ORDER BY sequence';
    expect(await database.query(batches)).toEqual([0, 1, 2, 3].map(leaf));
  });
});
