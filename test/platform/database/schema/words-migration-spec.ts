import { expect, it } from '@jest/globals';
import { newId } from '../../../../src/common/identifier.js';
import { describeMigration } from './migration.js';

describeMigration('DocumentWords1795565000000', (database) => {
  it('queues the documents of all tenants that are not confidential, and can be reverted', async () => {
    const user = await database.insertUser();
    const queued: object[] = [];
    for (const tenant of [await database.insertTenant(), await database.insertTenant()])
      for (const isConfidential of [false, true]) {
        const id = newId();
        await database.query(
          `INSERT INTO documents (tenant_id, id, title, status, is_confidential, created_by)
           VALUES ($1, $2, 'Plan', 'Active', $3, $4)`,
          [tenant, id, isConfidential, user],
        );
        if (!isConfidential) queued.push({ tenant_id: tenant, document_id: id });
      }

    await database.migrate();

    const found = await database.query('SELECT tenant_id, document_id FROM word_queue ORDER BY 2');
    expect(found).toEqual(queued);
  });
});
