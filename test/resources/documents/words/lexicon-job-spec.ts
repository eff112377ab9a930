import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Log } from '../../../../src/platform/logging/log.js';
import { DocumentTextsRepository } from '../../../../src/resources/documents/contents/document-texts.repository.js';
import { LexiconUpdates } from '../../../../src/resources/documents/words/lexicon-updates.js';
import { ownerTransaction, saveDocumentWithText } from '../../../factories/document-texts.js';
import { upload } from '../../../factories/documents.js';
import {
  beginUpdate,
  lexiconJobs,
  lexiconWords,
  numberedWord,
  updateLexicon,
} from '../../../factories/lexicons.js';
import { type Actor } from '../../../support/actor.js';
import { cancelLockWaits, waitForBlockedStatements } from '../../../support/locks.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';

/** More than one transaction takes. */
const DOCUMENTS = 25;
const OPEN_WORDS = 150;
/** Words of a part of a text, but those that it shares with the part before. */
const PART = 680;

/** The job UpdateLexicon. */
describe('LexiconUpdates', () => {
  let tenant: TestTenant;
  let editor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const spyOnWarnings = () => jest.spyOn(service.app.get(Log), 'warn').mockImplementation(() => undefined);
  const queue = async () =>
    service.query<{ document_id: string; part: number }>(
      'SELECT document_id, part FROM word_queue WHERE tenant_id = $1',
      [tenant.id],
    );
  const setCount = (words: number) =>
    service.query(
      `INSERT INTO lexicons (tenant_id, words) VALUES ($1, $2)
       ON CONFLICT (tenant_id) DO UPDATE SET words = excluded.words`,
      [tenant.id, words],
    );
  const save = (title: string, where = tenant, creator = editor) =>
    saveDocumentWithText(where, creator, { title });
  async function saveMany(where = tenant, creator = editor): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < DOCUMENTS; n += 1)
      ids.push((await save(`Akte ${numberedWord(n)}`, where, creator)).id);
    return ids;
  }
  /** `count` different words; each part of the text has only `distinct` of them, at its end. */
  const textOf = (count: number, distinct = PART) =>
    Array.from({ length: Math.ceil(count / distinct) }, (_, part) => [
      ...Array.from({ length: PART - distinct }, () => '0'),
      ...Array.from({ length: distinct }, (__, n) => numberedWord(Math.min(part * distinct + n, count - 1))),
    ])
      .flat()
      .join(' ');
  /** Runs `work` while another transaction has run the statement. */
  async function during(statement: string, values: unknown[], work: () => Promise<void>): Promise<void> {
    const client = await service.owner.connect();
    try {
      await client.query('BEGIN');
      await client.query(statement, values);
      await work();
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }

  it('adds more documents, parts and words than one transaction takes', async () => {
    await saveMany();
    const { id } = await saveDocumentWithText(tenant, editor, { title: 'Lang', text: textOf(330, 10) });
    const other = await save('Kurz');
    await service.query(
      `INSERT INTO document_words (tenant_id, word)
       SELECT $1, 'offen' || translate(n::text, '0123456789', 'abcdefghij') FROM generate_series(1, $2::int) n`,
      [tenant.id, OPEN_WORDS],
    );
    await setCount(OPEN_WORDS);
    await updateLexicon(tenant);
    const expected = Array.from({ length: 330 }, (_, n) => numberedWord(n));
    expect(await lexiconWords(tenant)).toEqual(['akte', 'kurz', 'lang', ...expected].sort());
    expect(await queue()).toEqual([]);
    const [row] = await service.query('SELECT words FROM lexicons WHERE tenant_id = $1', [tenant.id]);
    expect(row).toEqual({ words: 333 });
    expect(id).not.toBe(other.id);
  });

  it('ends when its time is over, so that the jobs of other tenants run, and queues another job', async () => {
    const second = await service.tenant();
    await saveMany();
    await saveMany(second, await second.as('editor'));
    await beginUpdate(tenant);
    await beginUpdate(second);
    expect(await queue()).toHaveLength(DOCUMENTS - 15);
    expect(await lexiconJobs(tenant)).toEqual([{ isDue: true }]);
    expect(await lexiconJobs(second)).toEqual([{ isDue: true }]);
    await service.runJobs();
    for (const one of [tenant, second]) {
      expect(await lexiconWords(one)).toHaveLength(DOCUMENTS + 1);
      expect(await lexiconJobs(one)).toEqual([]);
    }
  });

  it('adds a long text in slices, and begins again when the text changes between them', async () => {
    const { id } = await saveDocumentWithText(tenant, editor, { title: 'Lang', text: textOf(330, 10) });
    await beginUpdate(tenant);
    expect(await queue()).toEqual([{ document_id: id, part: 15 }]);
    // The title and 14 parts of the text.
    expect(await lexiconWords(tenant)).toHaveLength(1 + 140);
    const texts = service.app.get(DocumentTextsRepository);
    await texts.replaceText(ownerTransaction(tenant), id, 'Neuer Text');
    expect(await queue()).toEqual([{ document_id: id, part: -20 }]);
    await updateLexicon(tenant);
    expect(await lexiconWords(tenant)).toEqual(['lang', 'neuer', 'text']);
  });

  it('adds the newest changes first, and finds documents for words before all are added', async () => {
    const [first = ''] = await saveMany();
    await service.query(`INSERT INTO document_words (tenant_id, word) VALUES ($1, 'offen'), ($1, 'akte')`, [
      tenant.id,
    ]);
    await setCount(2);
    await editor.put(`/documents/${first}`, { title: 'Neuigkeit' }).expect(200);
    await beginUpdate(tenant);
    expect(await queue()).toHaveLength(DOCUMENTS - 15);
    const words = await lexiconWords(tenant);
    expect(words).toEqual(expect.arrayContaining(['akte', 'neuigkeit', numberedWord(DOCUMENTS - 1)]));
    expect(words).not.toContain(numberedWord(1));
    const open = await service.query(
      'SELECT FROM document_words WHERE tenant_id = $1 AND document_id IS NULL',
      [tenant.id],
    );
    expect(open).toEqual([]);
  });

  it('ends at once while another job changes the lexicon, and queues a later one', async () => {
    await save('Akte');
    await setCount(0);
    await during('SELECT FROM lexicons WHERE tenant_id = $1 FOR UPDATE', [tenant.id], () =>
      updateLexicon(tenant),
    );
    expect(await lexiconJobs(tenant)).toEqual([{ isDue: false }]);
    expect(await queue()).toHaveLength(1);
  });

  it('adds the words of other documents while one is locked, and queues a later job for that one', async () => {
    const { id } = await save('Gesperrt');
    await save('Offen');
    await during('SELECT FROM documents WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [tenant.id, id], () =>
      updateLexicon(tenant),
    );
    expect(await lexiconWords(tenant)).toEqual(['offen']);
    expect(await queue()).toEqual([{ document_id: id, part: -20 }]);
    expect(await lexiconJobs(tenant)).toEqual([{ isDue: false }]);
    await updateLexicon(tenant);
    expect(await lexiconWords(tenant)).toEqual(['gesperrt', 'offen']);
  });

  it('skips a document and a word whose statements fail, and logs a warning', async () => {
    const { id } = await save('Fehler');
    await save('Offen');
    await service.query(`INSERT INTO document_words (tenant_id, word) VALUES ($1, 'frei'), ($1, 'warten')`, [
      tenant.id,
    ]);
    await setCount(2);
    const warn = spyOnWarnings();
    const client = await service.owner.connect();
    try {
      await client.query('BEGIN');
      await client.query(`INSERT INTO document_words (tenant_id, word) VALUES ($1, 'fehler')`, [tenant.id]);
      await client.query(`SELECT FROM document_words WHERE tenant_id = $1 AND word = 'warten' FOR UPDATE`, [
        tenant.id,
      ]);
      const updated = updateLexicon(tenant);
      // The documents together, the document alone; the words together, the word alone.
      for (let wait = 0; wait < 4; wait += 1) {
        expect(await waitForBlockedStatements(service)).toBe(true);
        await cancelLockWaits(service);
      }
      await updated;
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
    const words = await service.query('SELECT word FROM document_words WHERE tenant_id = $1 ORDER BY 1', [
      tenant.id,
    ]);
    expect(words).toEqual([{ word: 'offen' }, { word: 'warten' }]);
    expect(await queue()).toEqual([{ document_id: id, part: -20 }]);
    const failed = 'the lexicon was updated only in part';
    const fields = expect.objectContaining({ tenantId: tenant.id }) as object;
    expect(warn.mock.calls).toEqual([
      [fields, failed],
      [fields, failed],
    ]);
    await updateLexicon(tenant);
    expect(await lexiconWords(tenant)).toEqual(['fehler', 'offen']);
  });

  it('fails when its time is over and all its statements have failed, so that it is retried later', async () => {
    await save('Fehler');
    spyOnWarnings();
    const client = await service.owner.connect();
    try {
      await client.query('BEGIN');
      await client.query(`INSERT INTO document_words (tenant_id, word) VALUES ($1, 'fehler')`, [tenant.id]);
      const updated = expect(beginUpdate(tenant)).rejects.toMatchObject({ code: '57014' });
      expect(await waitForBlockedStatements(service)).toBe(true);
      await cancelLockWaits(service);
      await updated;
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
    expect(await lexiconJobs(tenant)).toEqual([]);
    expect(await queue()).toHaveLength(1);
  });

  it('leaves documents in the queue while the lexicon is full, with one warning', async () => {
    await save('Eins');
    await updateLexicon(tenant);
    await save('Zwei');
    await setCount(1_000_000);
    const warn = spyOnWarnings();
    await updateLexicon(tenant);
    expect(await lexiconWords(tenant)).toEqual(['eins']);
    expect(await queue()).toHaveLength(1);
    expect(warn.mock.calls).toEqual([[{ tenantId: tenant.id }, 'the lexicon is full']]);
    expect(await lexiconJobs(tenant)).toEqual([]);
    // A word that no document has makes room in the same job.
    await service.query(`INSERT INTO document_words (tenant_id, word) VALUES ($1, 'frei')`, [tenant.id]);
    await updateLexicon(tenant);
    expect(await lexiconWords(tenant)).toEqual(['eins', 'zwei']);
    expect(await queue()).toEqual([]);
  });

  it('adds at most 5,000 words of the text of a document, and always those of its title', async () => {
    const text = textOf(5100);
    const { id } = await saveDocumentWithText(tenant, editor, { title: 'Lang', text });
    await updateLexicon(tenant);
    expect(await lexiconWords(tenant)).toHaveLength(5000);
    await editor.put(`/documents/${id}`, { title: 'Sehr Lang' }).expect(200);
    await updateLexicon(tenant);
    expect(await lexiconWords(tenant)).toEqual(expect.arrayContaining(['lang', 'sehr', numberedWord(0)]));
    expect(await queue()).toEqual([]);
  });

  it('does nothing more after its abort; the next job adds the rest', async () => {
    await saveMany();
    const abort = new AbortController();
    abort.abort();
    const updates = service.app.get(LexiconUpdates);
    await expect(updates.update(tenant.id, abort.signal)).rejects.toThrow('aborted');
    expect(await queue()).toHaveLength(DOCUMENTS);
    await updateLexicon(tenant);
    expect(await lexiconWords(tenant)).toHaveLength(DOCUMENTS + 1);
  });

  it('runs before the waiting documents of the tenant, but after them when it continues', async () => {
    const tasks = async () => {
      const rows = await service.query<{ task: string }>(
        `SELECT split_part(key, ':', 1) AS task FROM graphile_worker._private_jobs
          WHERE payload ->> 'tenantId' = $1 ORDER BY priority, run_at, id`,
        [tenant.id],
      );
      return rows.map(({ task }) => task);
    };
    for (const n of [1, 2])
      await upload(editor, { title: `Akte ${n}` }, { bytes: 'Text', fileName: 'a.txt' }).expect(201);
    await service.app.get(LexiconUpdates).enqueue();
    expect(await tasks()).toEqual(['UpdateLexicon', 'ProcessDocument', 'ProcessDocument']);
    await beginUpdate(tenant);
    expect(await tasks()).toEqual(['ProcessDocument', 'ProcessDocument', 'UpdateLexicon']);
  });
});
