import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { saveDocumentWithText } from '../../../factories/document-texts.js';
import { saveTag, setCreatedAt } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { updateLexicon } from '../../../factories/lexicons.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';

interface Suggestion {
  readonly kind: string;
  readonly text: string;
  readonly id?: string;
}

describe('ListSuggestions', () => {
  let tenant: TestTenant;
  let editor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
  });

  const request = (q: string, actor = editor, rest: Record<string, string> = {}) =>
    actor.get(`/documents/suggestions?${new URLSearchParams({ q, ...rest }).toString()}`);
  const suggestions = async (q: string, actor = editor, rest: Record<string, string> = {}) => {
    const response = await request(q, actor, rest);
    expect([response.status, response.body]).toMatchObject([200, {}]);
    return (response.body as { items: Suggestion[] }).items;
  };
  const texts = async (q: string, kind: string, actor = editor) =>
    (await suggestions(q, actor)).flatMap((one) => (one.kind === kind ? [one.text] : []));

  it('returns 200 with documents, words, tags and files that begin with the text', async () => {
    const tag = await saveTag(tenant, 'Grundstück');
    const file = await saveFile(tenant, editor, { number: 'G-1', name: 'Grundsteuer Nord' });
    const document = await saveDocumentWithText(tenant, editor, {
      title: 'Bescheid Grundsteuer',
      text: 'Die Grundlage ist das Gesetz.',
      tagIds: [tag.id],
    });
    await saveDocumentWithText(tenant, editor, { title: 'Anderes' });
    await updateLexicon(tenant);
    const response = await request('grunds');
    expect([response.status, response.body]).toEqual([
      200,
      {
        items: [
          { kind: 'Document', text: 'Bescheid Grundsteuer', id: document.id },
          { kind: 'Word', text: 'Grundsteuer' },
          { kind: 'Tag', text: 'Grundstück', id: tag.id },
          { kind: 'File', text: 'G-1 Grundsteuer Nord', id: file.id },
        ],
      },
    ]);
    expect(await texts('GRUNDL', 'Word')).toEqual(['Grundlage']);
    expect(await tenant.audit()).toEqual([]);
  });

  it('returns 200 with documents that have all words in the title, the last one as a beginning', async () => {
    for (const title of ['Miete Nord 2026', 'Nord Mietvertrag', 'Nördlingen Miete', 'Süd'])
      await saveDocumentWithText(tenant, editor, { title });
    const found = async (q: string) => (await texts(q, 'Document')).sort();
    expect(await found('miete nor')).toEqual(['Miete Nord 2026', 'Nördlingen Miete']);
    expect(await found('nord mie')).toEqual(['Miete Nord 2026', 'Nord Mietvertrag']);
    expect(await found('20')).toEqual(['Miete Nord 2026']);
    expect(await found('iete')).toEqual([]);
    expect(await found('  nord, MIETE ')).toEqual(['Miete Nord 2026']);
  });

  it('returns 200 with documents, words and tags of old documents, but not by their file names', async () => {
    const tag = await saveTag(tenant, 'Altbau');
    const old = await saveDocumentWithText(tenant, editor, {
      title: 'Altbestand',
      text: 'Altlast',
      tagIds: [tag.id],
    });
    const named = await saveDocumentWithText(tenant, editor, { title: 'Scan' });
    await service.query(
      `UPDATE document_texts SET text = 'Scan · alt.pdf', vector = 'alt:2A pdf:3A scan:1A'
        WHERE tenant_id = $1 AND document_id = $2`,
      [tenant.id, named.id],
    );
    await updateLexicon(tenant);
    await service.query(
      `INSERT INTO documents (tenant_id, id, title, status, created_by)
       SELECT $1, gen_random_uuid(), 'Neu', 'Active', $2 FROM generate_series(1, 600)`,
      [tenant.id, editor.userId],
    );
    expect(await suggestions('alt')).toEqual([
      { kind: 'Document', text: 'Altbestand', id: old.id },
      { kind: 'Word', text: 'Altlast' },
      { kind: 'Word', text: 'Altbestand' },
      { kind: 'Tag', text: 'Altbau', id: tag.id },
    ]);
  });

  it('returns 200 with documents whose title has the joined form of a hyphenated word', async () => {
    await saveDocumentWithText(tenant, editor, { title: 'Bau-Genehmigung Nord' });
    await saveDocumentWithText(tenant, editor, { title: 'Bau Genehmigung Süd' });
    for (const q of ['baugen', 'baugenehmigung no', 'nord bauge', 'nord bau-gen'])
      expect(await texts(q, 'Document')).toEqual(['Bau-Genehmigung Nord']);
  });

  it('returns 200 with words as texts write them, found by their base letters', async () => {
    const filler = Array<string>(14_000).fill('füllwort').join(' ');
    await saveDocumentWithText(tenant, editor, {
      title: 'Scan',
      text: `Die Gebu\u0308hr von Łukaszewski, Vor\u00adgänge, Bau-Leitplan, ${filler} Endwörtchen`,
    });
    await updateLexicon(tenant);
    expect(await texts('gebu', 'Word')).toEqual(['Gebu\u0308hr']);
    expect(await texts('lukas', 'Word')).toEqual(['Łukaszewski']);
    expect(await texts('ŁUK', 'Word')).toEqual(['Łukaszewski']);
    expect(await texts('vorg', 'Word')).toEqual(['Vorgänge']);
    // Only with a hyphen, or after the parts that are read.
    expect(await texts('bauleit', 'Word')).toEqual(['bauleitplan']);
    expect(await texts('endw', 'Word')).toEqual(['endwortchen']);
  });

  it('returns 200 with words and titles that have umlauts for ae, oe and ue', async () => {
    await saveDocumentWithText(tenant, editor, {
      title: 'Alte Übersicht der Akten',
      text: 'Überfu\u0308hrung Steuerüberschuss Sturm Öfen Ofen',
    });
    await updateLexicon(tenant);
    expect(await texts('ueberf', 'Word')).toEqual(['Überfu\u0308hrung']);
    expect(await texts('ueberfuehr', 'Word')).toEqual(['Überfu\u0308hrung']);
    expect(await texts('uberf', 'Word')).toEqual(['Überfu\u0308hrung']);
    expect(await texts('steuerueb', 'Word')).toEqual(['Steuerüberschuss']);
    expect(await texts('steu', 'Word')).toEqual(['Steuerüberschuss']);
    expect(await texts('stuer', 'Word')).toEqual([]);
    expect(await texts('oefe', 'Word')).toEqual(['Öfen']);
    expect(await texts('uebers', 'Word')).toEqual(['Übersicht']);
    expect(await texts('alte uebers', 'Document')).toEqual(['Alte Übersicht der Akten']);
    await service.query(
      `INSERT INTO documents (tenant_id, id, title, status, created_by)
       SELECT $1, gen_random_uuid(), 'Neu', 'Active', $2 FROM generate_series(1, 600)`,
      [tenant.id, editor.userId],
    );
    expect(await texts('uebers', 'Document')).toEqual(['Alte Übersicht der Akten']);
    expect(await texts('uebers', 'Word')).toEqual(['Übersicht']);
  });

  it('returns 200 with words of the newest texts before others, for a short beginning', async () => {
    const words = [...'abcdefghij'].map((letter) => `vera${letter}`);
    const old = await saveDocumentWithText(tenant, editor, { title: 'Alt', text: words.join(' ') });
    await setCreatedAt(tenant, old.id, '2026-01-01T00:00:00Z');
    await updateLexicon(tenant);
    await service.query(
      `INSERT INTO documents (tenant_id, id, title, status, created_by, created_at)
       SELECT $1, gen_random_uuid(), 'Scan', 'Active', $2, now() - interval '2 hours' FROM generate_series(1, 60)`,
      [tenant.id, editor.userId],
    );
    await saveDocumentWithText(tenant, editor, { title: 'Neu', text: 'Versicherung' });
    expect(await texts('ver', 'Word')).toEqual(['Versicherung', ...words.slice(0, 9)]);
  });

  it('returns 200 with old documents by the words before a beginning that many words have', async () => {
    const old = await saveDocumentWithText(tenant, editor, { title: 'Versand Nordlicht' });
    const words = [...'abcdefghij'].map((letter) => `verein${letter}`);
    await saveDocumentWithText(tenant, editor, { title: 'Liste', text: words.join(' ') });
    await service.query(
      `INSERT INTO documents (tenant_id, id, title, status, created_by)
       SELECT $1, gen_random_uuid(), 'Nordlicht', 'Active', $2 FROM generate_series(1, 600)`,
      [tenant.id, editor.userId],
    );
    await updateLexicon(tenant);
    expect(await texts('nordlicht vers', 'Document')).toEqual([old.title]);
    expect(await texts('nordlicht ver', 'Document')).toEqual([old.title]);
    expect(await texts('ver', 'Word')).toHaveLength(10);
  });

  it('returns 200 with words of texts that have many frequent numbers with the beginning', async () => {
    const guest = await tenant.as('guest');
    const file = await saveFile(tenant, editor);
    await saveAccessGrant(tenant, guest, { file: file.id });
    const numbers = Array.from({ length: 60 }, (_, n) => `ab${n}`);
    for (const text of [numbers.join(' '), `${numbers.join(' ')} abc Abfall`])
      await saveDocumentWithText(tenant, editor, { title: 'Liste', text, fileIds: [file.id] });
    expect(await texts('ab', 'Word', guest)).toEqual(['Abfall']);
  });

  it('returns 200 with tags whose name is not among the first in another order', async () => {
    const { id: tagId } = await saveTag(tenant, 'Steuer');
    await saveTag(tenant, 'Steuer (alt)');
    await saveTag(tenant, 'Stéuer');
    await saveDocumentWithText(tenant, editor, { tagIds: [tagId] });
    expect(await suggestions('steuer')).toEqual([{ kind: 'Tag', text: 'Steuer', id: tagId }]);
  });

  it('returns 200 with files by the beginning of the number, then the newest ones with the text', async () => {
    const byNumber = await saveFile(tenant, editor, {
      number: '4711/26',
      name: 'Alt',
      createdAt: '2020-01-01T00:00:00Z',
    });
    await saveFile(tenant, editor, { number: '0', name: 'Haus 4711', createdAt: '2020-01-02T00:00:00Z' });
    expect(await texts('4711', 'File')).toEqual(['4711/26 Alt', '0 Haus 4711']);
    await service.query(
      `INSERT INTO files (tenant_id, id, file_type_id, number, number_key, name, search_text, search_starts, created_by)
       SELECT f.tenant_id, gen_random_uuid(), f.file_type_id, '1-' || n, '1-' || n, f.name, '1-' || n || E'\nalt', '{}', f.created_by
         FROM files f CROSS JOIN generate_series(1, 500) n WHERE f.tenant_id = $1 AND f.id = $2`,
      [tenant.id, byNumber.id],
    );
    expect(await texts('4711', 'File')).toEqual(['4711/26 Alt']);
    expect(await texts('4711/26 ', 'File')).toEqual(['4711/26 Alt']);
  });

  it('returns 200 with at most limit suggestions, shared among the kinds', async () => {
    const endings = [...'abcdefghijklmnopqrstuvwxyz'];
    for (const end of endings) await saveDocumentWithText(tenant, editor, { title: `Wort${end}` });
    const file = await saveFile(tenant, editor, { name: 'Wortliste' });
    const kinds = async (rest: Record<string, string> = {}) => {
      const found = await suggestions('wort', editor, rest);
      return ['Document', 'Word', 'Tag', 'File'].map(
        (kind) => found.filter((one) => one.kind === kind).length,
      );
    };
    expect(await kinds()).toEqual([5, 4, 0, 1]);
    expect(await kinds({ limit: '20' })).toEqual([10, 9, 0, 1]);
    expect(await kinds({ limit: '2' })).toEqual([1, 1, 0, 0]);
    expect(await suggestions('wort', editor, { limit: '1' })).toHaveLength(1);
    expect((await suggestions('wortl')).map(({ id }) => id)).toContain(file.id);
  });

  describe('visibility', () => {
    it('returns 200 with nothing that only invisible documents have, for a caller with grants', async () => {
      const guest = await tenant.as('guest');
      const [mine, others] = [
        await saveFile(tenant, editor, { name: 'Prüfung A' }),
        await saveFile(tenant, editor, { name: 'Prüfung B' }),
      ];
      await saveAccessGrant(tenant, guest, { file: mine.id });
      const [seen, hidden] = [await saveTag(tenant, 'Prüfung ja'), await saveTag(tenant, 'Prüfung nein')];
      await saveDocumentWithText(tenant, editor, {
        title: 'Prüfung sichtbar',
        text: 'Prüfbericht',
        fileIds: [mine.id],
        tagIds: [seen.id],
      });
      await saveDocumentWithText(tenant, editor, {
        title: 'Prüfung unsichtbar',
        text: 'Prüfgeheimnis Prüfbericht',
        fileIds: [others.id],
        tagIds: [hidden.id],
      });
      await updateLexicon(tenant);
      const all = ['Prüfung sichtbar', 'Prüfung unsichtbar'];
      expect((await texts('prüf', 'Document')).sort()).toEqual(all);
      expect((await texts('prüfg', 'Word')).sort()).toEqual(['Prüfgeheimnis']);
      expect(await suggestions('prüf', guest, { limit: '20' })).toEqual([
        { kind: 'Document', text: 'Prüfung sichtbar', id: expect.any(String) },
        { kind: 'Word', text: 'Prüfung' },
        { kind: 'Word', text: 'Prüfbericht' },
        { kind: 'Tag', text: 'Prüfung ja', id: seen.id },
        { kind: 'File', text: `${mine.number} Prüfung A`, id: mine.id },
      ]);
      const reader = await tenant.with('documents.read', 'files.read');
      expect(await texts('prüf', 'Tag', reader)).toEqual([]);
      expect((await texts('prüf', 'Tag')).sort()).toEqual(['Prüfung ja', 'Prüfung nein']);
    });

    it('returns 200 without the words, titles and tags of confidential documents, before and after a change', async () => {
      const other = await tenant.as('editor');
      const guest = await tenant.as('guest');
      const file = await saveFile(tenant, editor);
      await saveAccessGrant(tenant, guest, { file: file.id });
      const tag = await saveTag(tenant, 'Geheimsache');
      const { id } = await saveDocumentWithText(tenant, editor, {
        title: 'Geheimakte',
        text: 'Geheimplan',
        fileIds: [file.id],
        tagIds: [tag.id],
      });
      const list = async (actor: Actor) =>
        (await suggestions('geheim', actor)).map(({ text }) => text).sort();
      const open = ['Geheimakte', 'Geheimakte', 'Geheimplan', 'Geheimsache'];
      await updateLexicon(tenant);
      expect(await list(other)).toEqual(open);
      expect(await list(guest)).toEqual(open);
      await editor.put(`/documents/${id}/confidentiality`, { isConfidential: true }).expect(200);
      expect([await list(other), await list(guest)]).toEqual([[], []]);
      await updateLexicon(tenant);
      expect([await list(other), await list(guest)]).toEqual([[], []]);
      // The creator is on its list, and sees title and tag.
      expect(await list(editor)).toEqual(['Geheimakte', 'Geheimakte', 'Geheimsache']);
      await editor.put(`/documents/${id}/confidentiality`, { isConfidential: false }).expect(200);
      await updateLexicon(tenant);
      expect(await list(other)).toEqual(open);
    });

    it('returns 200 without documents in the bin, even for callers who see the bin', async () => {
      const tag = await saveTag(tenant, 'Abfall');
      const { id } = await saveDocumentWithText(tenant, editor, {
        title: 'Abfallplan',
        text: 'Abfuhr',
        tagIds: [tag.id],
      });
      await updateLexicon(tenant);
      expect(await suggestions('ab')).toHaveLength(4);
      await editor.delete(`/documents/${id}`).expect(204);
      expect(await suggestions('ab')).toEqual([]);
    });

    it('returns 200 without anything of another tenant', async () => {
      const other = await service.tenant();
      const stranger = await other.as('editor');
      const tag = await saveTag(other, 'Fremd');
      await saveFile(other, stranger, { name: 'Fremde Akte' });
      await saveDocumentWithText(other, stranger, { title: 'Fremdes', text: 'Fremdwort', tagIds: [tag.id] });
      await updateLexicon(other);
      expect(await suggestions('fremd', stranger)).toHaveLength(5);
      expect(await suggestions('fremd')).toEqual([]);
    });
  });

  it.each([
    ['q=', 'q'],
    ['q=a', 'q'],
    ['q=+a+', 'q'],
    ['q=%25%25', 'q'],
    ['q=a%00b', 'q'],
    ['q=ab&q=cd', 'q'],
    [`q=${'x'.repeat(201)}`, 'q'],
    [`q=${Array.from({ length: 21 }, (_, n) => `w${n}`).join('+')}`, 'q'],
    ['q=ab&limit=0', 'limit'],
    ['q=ab&limit=21', 'limit'],
    ['q=ab&limit=x', 'limit'],
  ])('returns 400 for %j', async (query, path) => {
    expectProblem(await editor.get(`/documents/suggestions?${query}`), 'request.invalid', [path]);
  });

  it('returns 200 for texts with special characters', async () => {
    await saveDocumentWithText(tenant, editor, { title: 'Größe 50%' });
    for (const q of [
      '50%',
      "gr' OR 1=1 --",
      'gr\\',
      'gr_',
      'gr%',
      "'gr':*",
      '"gr',
      'a & b | !c',
      'x'.repeat(200),
      'ab😀',
    ])
      await suggestions(q);
    expect(await texts('Größe 50', 'Document')).toEqual(['Größe 50%']);
  });

  it('returns 200 without suggestions when q is absent', async () => {
    expect((await editor.get('/documents/suggestions').expect(200)).body).toEqual({ items: [] });
  });
});
