import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveDocument, saveTag } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { duringTransaction, waitForBlockedStatements } from '../../../support/locks.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { doneResult, resultsOf } from './bulk-results.js';

describe('BulkChangeDocuments concurrently', () => {
  let tenant: TestTenant;
  let manager: Actor;
  let creator: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager', 'Mara Manager');
    creator = await tenant.as('editor', 'Edda Editor');
  });

  const change = (body: object, actor = manager) => actor.post('/documents/bulk', body);
  const makeMany = (count: number) =>
    Promise.all(Array.from({ length: count }, async () => (await saveDocument(tenant, creator)).id));

  it('locks the documents in the order of their ids to avoid deadlocks', async () => {
    const [first = '', ...others] = (await makeMany(5)).sort();
    const client = await service.owner.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT FROM documents WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [
        tenant.id,
        first,
      ]);
      const documentIds = [...others.reverse(), first];
      const response = Promise.resolve(change({ action: 'Archive', documentIds }));
      expect(await waitForBlockedStatements(service)).toBe(true);
      const free = await service.query(
        'SELECT FROM documents WHERE tenant_id = $1 AND id = ANY ($2) FOR UPDATE SKIP LOCKED',
        [tenant.id, others],
      );
      expect(free).toHaveLength(others.length);
      await client.query('COMMIT');
      expect(resultsOf(await response)).toEqual(documentIds.map(doneResult));
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  it('succeeds for two requests with the same documents in opposite order', async () => {
    const file = await saveFile(tenant, creator);
    const documentIds = await makeMany(50);
    const [archived, filed] = await Promise.all([
      change({ action: 'Archive', documentIds }),
      change({ action: 'File', documentIds: [...documentIds].reverse(), fileIds: [file.id] }, creator),
    ]);
    expect(resultsOf(archived)).toEqual(documentIds.map(doneResult));
    expect(resultsOf(filed)).toEqual([...documentIds].reverse().map(doneResult));
  });

  it('refuses a document that was archived while the request waited', async () => {
    const tag = await saveTag(tenant);
    const [id] = await makeMany(1);
    const response = await duringTransaction(
      service,
      `UPDATE documents SET status = 'Archived' WHERE tenant_id = $1 AND id = $2`,
      [tenant.id, id],
      () => change({ action: 'Tag', documentIds: [id], tagIds: [tag.id] }),
    );
    expect(resultsOf(response)).toMatchObject([{ problem: { type: '/problems/document.archived' } }]);
  });
});
