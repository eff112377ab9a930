import { beforeEach, describe, expect, it } from '@jest/globals';
import { TextFolding } from '../../../../src/resources/documents/contents/text-folding.js';
import { saveDocumentWithText } from '../../../factories/document-texts.js';
import { lexiconWords, updateLexicon } from '../../../factories/lexicons.js';
import { type Actor } from '../../../support/actor.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';

describe('TextFolding', () => {
  let tenant: TestTenant;
  let editor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
  });

  /** Stores the words as former releases did. */
  const setVectors = (documentId: string, vector: string) =>
    service.query(
      'UPDATE document_texts SET vector = $3::tsvector WHERE tenant_id = $1 AND document_id = $2',
      [tenant.id, documentId, vector],
    );
  const fold = async () => {
    await service.query('INSERT INTO text_foldings (tenant_id) VALUES ($1)', [tenant.id]);
    await service.app.get(TextFolding).foldAll();
  };
  const left = () => service.query('SELECT FROM text_foldings WHERE tenant_id = $1', [tenant.id]);
  const vectors = async (documentId: string) => {
    const rows = await service.query<{ vector: string }>(
      'SELECT vector::text FROM document_texts WHERE tenant_id = $1 AND document_id = $2 ORDER BY part',
      [tenant.id, documentId],
    );
    return rows.map(({ vector }) => vector);
  };
  const found = async (q: string) => {
    const response = await editor.get(`/documents?${new URLSearchParams({ q, limit: '200' }).toString()}`);
    return (response.body as { items: { id: string }[] }).items.map(({ id }) => id);
  };

  it('folds words with their positions and stems again, also of confidential documents and in the bin', async () => {
    const documents = [
      await saveDocumentWithText(tenant, editor),
      await saveDocumentWithText(tenant, editor),
      await saveDocumentWithText(tenant, editor),
    ];
    const [open, confidential, deleted] = documents.map(({ id }) => id);
    await editor
      .put(`/documents/${confidential ?? ''}/confidentiality`, { isConfidential: true })
      .expect(200);
    await editor.delete(`/documents/${deleted ?? ''}`).expect(204);
    for (const { id } of documents) await setVectors(id, `'łodz':1A,4A 'lodz':2A 'wałęs':3 'wałęsen':3A`);
    await updateLexicon(tenant);
    expect([await found('wałęsen '), await lexiconWords(tenant)]).toEqual([[], ['lodz', 'wałęsen', 'łodz']]);

    await fold();
    await updateLexicon(tenant);

    for (const { id } of documents)
      expect(await vectors(id)).toEqual([`'lodz':1A,2A,4A 'wales':3 'walesen':3A`]);
    expect((await found('Wałęsen ')).sort()).toEqual([open, confidential].sort());
    expect(await lexiconWords(tenant)).toEqual(['lodz', 'walesen']);
    expect(await left()).toEqual([]);
  });

  it('folds more texts than one transaction writes, and leaves others as they are', async () => {
    const { id } = await saveDocumentWithText(tenant, editor);
    await service.query(
      `INSERT INTO document_texts (tenant_id, document_id, part, created_at, text, vector)
       SELECT d.tenant_id, d.id, n, d.created_at, 'x', (CASE WHEN n % 15 = 0 THEN '''ør'':1A' ELSE '''ж'':1A ''or'':2' END)::tsvector
         FROM documents d CROSS JOIN generate_series(1, 600) n WHERE d.tenant_id = $1 AND d.id = $2`,
      [tenant.id, id],
    );
    await fold();
    const folded = await vectors(id);
    expect(folded.slice(1)).toEqual(
      Array.from({ length: 600 }, (_, n) => ((n + 1) % 15 === 0 ? `'or':1A` : `'or':2 'ж':1A`)),
    );
    expect(await left()).toEqual([]);
  });
});
