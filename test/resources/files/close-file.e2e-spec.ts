import { describe, expect, it } from '@jest/globals';
import { saveDocument } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { expectRefused } from '../../support/expect-refused.js';
import { fileStatusCases } from './file-status-cases.js';

describe('CloseFile', () => {
  const { fixture, send: close } = fileStatusCases({
    operation: 'close',
    role: 'editor',
    refused: ['guest'],
    body: ['{"broken', 'text/plain'],
    conflict: 'file.already-closed',
  });

  it.each(['Active', 'Archived', 'Deleted'] as const)(
    'returns 200 for a file with a document that is %s',
    async (status) => {
      const { tenant, creator, file } = fixture;
      await saveDocument(tenant, creator, { fileIds: [file.id], status });
      expect((await close()).status).toBe(200);
    },
  );

  it('returns 409 while one of its documents is Processing, 200 for another file', async () => {
    const { tenant, caller, creator, file } = fixture;
    const other = await saveFile(tenant, creator);
    await saveDocument(tenant, creator, { fileIds: [file.id], status: 'Active' });
    await saveDocument(tenant, creator, { fileIds: [file.id], status: 'Processing' });
    await expectRefused(tenant, () => close(), 'file.documents-processing');
    expect((await close(caller, other.id)).status).toBe(200);
  });
});
