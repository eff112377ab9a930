import { beforeEach, describe, expect, it } from '@jest/globals';
import { BinPurge } from '../../../../src/resources/documents/bin/bin-purge.js';
import { DocumentTextsRepository } from '../../../../src/resources/documents/contents/document-texts.repository.js';
import { LexiconUpdates } from '../../../../src/resources/documents/words/lexicon-updates.js';
import { ownerTransaction, saveDocumentWithText } from '../../../factories/document-texts.js';
import { putContent, upload } from '../../../factories/documents.js';
import { lexiconWords, updateLexicon } from '../../../factories/lexicons.js';
import { type Actor } from '../../../support/actor.js';
import { waitForBlockedStatements } from '../../../support/locks.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { waitUntilProcessed } from '../../../support/wait-until-processed.js';

describe('The lexicon', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let manager: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
    manager = await tenant.as('records_manager');
  });

  const setConfidential = (id: string, isConfidential: boolean) =>
    editor.put(`/documents/${id}/confidentiality`, { isConfidential });

  /** State of the tenant's lexicon, to compare with what it must be. */
  const rows = (table: 'document_words' | 'word_queue') =>
    service.query(`SELECT * FROM ${table} WHERE tenant_id = $1`, [tenant.id]);
  const count = async () => {
    const [lexicon] = await service.query<{ words: number }>(
      'SELECT words FROM lexicons WHERE tenant_id = $1',
      [tenant.id],
    );
    return lexicon?.words;
  };

  /** Runs `work` before the transaction that makes the document confidential commits. */
  async function whileBecomingConfidential(id: string, work: () => Promise<void>): Promise<void> {
    const client = await service.owner.connect();
    try {
      await client.query('BEGIN');
      await client.query('UPDATE documents SET is_confidential = true WHERE tenant_id = $1 AND id = $2', [
        tenant.id,
        id,
      ]);
      await work();
      await client.query('COMMIT');
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }

  it('has the words of title, file name and text: letters only, 4 to 40 of them', async () => {
    await upload(editor, { title: 'Die Größe' }, { bytes: '%PDF', fileName: 'plan_2026.pdf' }).expect(201);
    const { id } = (
      await upload(
        editor,
        { title: 'Größe' },
        {
          bytes: `Straßen-Bau Ab12cd und 4711, ${'x'.repeat(40)} ${'y'.repeat(41)} Ὀδυσσεύς 東京都 Wörter, Häuser`,
          fileName: 'x.txt',
          mediaType: 'text/plain',
        },
      )
    ).body as { id: string };
    await waitUntilProcessed(tenant, id);
    await service.runJobs();
    // No stems: `strass`, `wort`, `haus`.
    expect(await lexiconWords(tenant)).toEqual(
      ['grosse', 'hauser', 'plan', 'strassen', 'strassenbau', 'worter', 'x'.repeat(40), 'οδυσσευσ'].sort(),
    );
    expect(await rows('word_queue')).toEqual([]);
    expect(await count()).toBe(8);
  });

  it('clears the words of a former title or text in the same transaction, also when a version is restored', async () => {
    const { id } = (await editor.post('/documents', { title: 'Alter Titel' }).expect(201)).body as {
      id: string;
    };
    await service.runJobs();
    expect(await lexiconWords(tenant)).toEqual(['alter', 'titel']);
    await editor.put(`/documents/${id}`, { title: 'Neuer Titel' }).expect(200);
    expect(await lexiconWords(tenant)).toEqual([]);
    await service.runJobs();
    expect(await lexiconWords(tenant)).toEqual(['neuer', 'titel']);
    await putContent(editor, id, 'Erste Fassung', { fileName: 'a.txt' }).expect(200);
    await waitUntilProcessed(tenant, id);
    await service.runJobs();
    expect(await lexiconWords(tenant)).toEqual(['erste', 'fassung', 'neuer', 'titel']);
    await putContent(editor, id, 'Zweite Fassung', { fileName: 'a.txt' }).expect(200);
    expect(await lexiconWords(tenant)).not.toContain('erste');
    await waitUntilProcessed(tenant, id);
    await service.runJobs();
    expect(await lexiconWords(tenant)).toEqual(['fassung', 'neuer', 'titel', 'zweite']);
    await editor.post(`/documents/${id}/versions/1/restore`).expect(200);
    expect(await lexiconWords(tenant)).not.toContain('zweite');
    await waitUntilProcessed(tenant, id);
    await service.runJobs();
    expect(await lexiconWords(tenant)).toEqual(['erste', 'fassung', 'neuer', 'titel']);
    expect(await count()).toBe(4);
  });

  it('clears the words of a document that becomes confidential in the same transaction, and adds them afterwards', async () => {
    const { id } = await saveDocumentWithText(tenant, editor, { title: 'Kündigung', text: 'Geheimplan' });
    const other = await saveDocumentWithText(tenant, editor, { title: 'Kündigung', text: 'Urlaub' });
    await updateLexicon(tenant);
    const all = ['geheimplan', 'kundigung', 'urlaub'];
    expect(await lexiconWords(tenant)).toEqual(all);
    await setConfidential(id, true).expect(200);
    expect(await lexiconWords(tenant)).not.toContain('geheimplan');
    await service.runJobs();
    expect(await lexiconWords(tenant)).toEqual(['kundigung', 'urlaub']);
    expect(await rows('document_words')).toHaveLength(2);
    await editor.put(`/documents/${id}`, { title: 'Geheimer Vermerk' }).expect(200);
    await service.runJobs();
    expect(await lexiconWords(tenant)).toEqual(['kundigung', 'urlaub']);
    await setConfidential(other.id, true).expect(200);
    expect(await lexiconWords(tenant)).toEqual([]);
    await service.runJobs();
    expect(await rows('document_words')).toEqual([]);
    expect(await count()).toBe(0);
    await setConfidential(id, false).expect(200);
    await service.runJobs();
    expect(await lexiconWords(tenant)).toEqual(['geheimer', 'geheimplan', 'vermerk']);
  });

  it('never has words of a document that was created as confidential', async () => {
    await editor.post('/documents', { title: 'Geheimplan', isConfidential: true }).expect(201);
    await service.runJobs();
    expect([await rows('document_words'), await rows('word_queue')]).toEqual([[], []]);
  });

  it.each([
    [
      'alone',
      (id: string, action: string) =>
        action === 'Delete' ? manager.delete(`/documents/${id}`) : manager.post(`/documents/${id}/restore`),
    ],
    [
      'with others',
      (id: string, action: string) => manager.post('/documents/bulk', { action, documentIds: [id] }),
    ],
  ])(
    'has no words of a document in the bin, and has them again when it is restored: %s',
    async (_, change) => {
      const { id } = await saveDocumentWithText(tenant, editor, { title: 'Bauplan Garage' });
      await updateLexicon(tenant);
      const visible = await saveDocumentWithText(tenant, editor, { title: 'Garage' });
      await updateLexicon(tenant);
      expect((await change(id, 'Delete')).ok).toBe(true);
      await service.runJobs();
      expect(await rows('document_words')).toMatchObject([{ word: 'garage', document_id: visible.id }]);
      expect((await change(id, 'Restore')).ok).toBe(true);
      await service.runJobs();
      expect(await lexiconWords(tenant)).toEqual(['bauplan', 'garage']);
      expect(await count()).toBe(2);
    },
  );

  it('gets no words of documents in the bin', async () => {
    const { id } = await saveDocumentWithText(tenant, editor, { title: 'Bauplan' });
    await manager.delete(`/documents/${id}`).expect(204);
    await updateLexicon(tenant);
    expect([await rows('document_words'), await rows('word_queue')]).toEqual([[], []]);
  });

  it('keeps words of documents that are purged before a job runs, if other documents have them', async () => {
    const { id } = await saveDocumentWithText(tenant, editor, { title: 'Bauplan Garage' });
    await updateLexicon(tenant);
    const kept = await saveDocumentWithText(tenant, editor, { title: 'Garage' });
    await updateLexicon(tenant);
    await manager.delete(`/documents/${id}`).expect(204);
    await service.query(
      `UPDATE documents SET deleted_at = now() - interval '40 days' WHERE tenant_id = $1 AND id = $2`,
      [tenant.id, id],
    );
    await service.app.get(BinPurge).purge();
    expect(await lexiconWords(tenant)).toEqual([]);
    await service.runJobs();
    expect(await rows('document_words')).toMatchObject([{ word: 'garage', document_id: kept.id }]);
    expect(await count()).toBe(1);
  });

  it('does not get words of a document that becomes confidential while a job runs', async () => {
    const { id } = await saveDocumentWithText(tenant, editor, { title: 'Geheimplan' });
    await whileBecomingConfidential(id, () => updateLexicon(tenant));
    await updateLexicon(tenant);
    expect([await rows('document_words'), await rows('word_queue')]).toEqual([[], []]);
  });

  it('loses words of a document that becomes confidential while the job adds them', async () => {
    const { id } = await saveDocumentWithText(tenant, editor, { title: 'Geheimplan' });
    // The job waits after it has added the words; the change waits for the job.
    const client = await service.owner.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT FROM word_queue WHERE tenant_id = $1 FOR UPDATE', [tenant.id]);
      const updated = updateLexicon(tenant);
      expect(await waitForBlockedStatements(service, 1)).toBe(true);
      const changed = setConfidential(id, true).then(({ status }) => status);
      expect(await waitForBlockedStatements(service, 2)).toBe(true);
      await client.query('COMMIT');
      await updated;
      expect(await changed).toBe(200);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
    expect(await lexiconWords(tenant)).toEqual([]);
  });

  it('gives no word to a document that becomes confidential while the job looks for one', async () => {
    const [first, second] = [
      await saveDocumentWithText(tenant, editor, { title: 'Geheimplan' }),
      await saveDocumentWithText(tenant, editor, { title: 'Geheimplan' }),
    ];
    await updateLexicon(tenant);
    const [row] = (await rows('document_words')) as { document_id: string }[];
    const [holder, other] = row?.document_id === first.id ? [first, second] : [second, first];
    await setConfidential(holder.id, true).expect(200);
    await whileBecomingConfidential(other.id, () => updateLexicon(tenant));
    expect(await lexiconWords(tenant)).toEqual([]);
    await updateLexicon(tenant);
    expect(await rows('document_words')).toEqual([]);
  });

  it('has the same words after several jobs and changes at the same time', async () => {
    const texts = service.app.get(DocumentTextsRepository);
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1)
      ids.push(
        (await saveDocumentWithText(tenant, editor, { title: 'Akte', text: 'Alpha Beta Gamma Delta' })).id,
      );
    const work = ids.flatMap((id, n) => [
      n % 3 === 0
        ? setConfidential(id, true).then(({ status }) => expect(status).toBe(200))
        : editor
            .put(`/documents/${id}`, { title: `Akte ${'abcdefghijkl'[n] ?? ''}neu` })
            .then(({ status }) => {
              expect(status).toBe(200);
            }),
      updateLexicon(tenant),
    ]);
    await Promise.all(work);
    await texts.replaceText(ownerTransaction(tenant), ids[1] ?? '', 'Epsilon');
    await updateLexicon(tenant);
    const renamed = ids.flatMap((_, n) => (n % 3 === 0 ? [] : `${'abcdefghijkl'[n] ?? ''}neu`));
    expect(await lexiconWords(tenant)).toEqual(
      ['akte', 'alpha', 'beta', 'gamma', 'delta', 'epsilon', ...renamed].sort(),
    );
    expect(await count()).toBe(6 + renamed.length);
  });

  it('gets the words of documents without a job by the scheduled task', async () => {
    await saveDocumentWithText(tenant, editor, { title: 'Garage' });
    await service.app.get(LexiconUpdates).enqueue();
    await service.runJobs();
    expect(await lexiconWords(tenant)).toEqual(['garage']);
  });
});
