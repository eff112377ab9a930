import { describe, expect, it } from '@jest/globals';
import { saveDocument } from '../../factories/documents.js';
import { expectProblem } from '../../support/expect-problem.js';
import { holdItemCases } from './support/hold-item-cases.js';

describe('AddDocumentToHold', () => {
  const state = holdItemCases('document', 'put');

  it('returns 204 for a document in the bin, and 404 to a caller who cannot see the bin', async () => {
    const { tenant, manager, holdId, send } = state();
    const binned = await saveDocument(tenant, manager, { status: 'Deleted' });
    const reader = await tenant.with('holds.manage', 'files.read', 'documents.read');
    expectProblem(await send(reader, holdId, binned.id), 'resource.not-found');
    expect((await send(manager, holdId, binned.id)).status).toBe(204);
  });
});
