import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { saveDocumentWithText } from '../../../factories/document-texts.js';
import { saveFile } from '../../../factories/files.js';
import { updateLexicon } from '../../../factories/lexicons.js';
import { type Actor } from '../../../support/actor.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { searchDocumentIds } from './search-document-ids.js';

interface Found {
  readonly id: string;
  readonly title: string;
  readonly excerpt: { segments: { text: string; isMatch: boolean }[] } | null;
}

describe('SearchDocuments: compounds', () => {
  let tenant: TestTenant;
  let editor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
  });

  const search = async (
    q: string,
    { actor = editor, ...rest }: { actor?: Actor; order?: string; status?: string } = {},
  ) => {
    const response = await actor.post('/documents/search', { q, ...rest });
    expect([response.status, response.body]).toMatchObject([200, {}]);
    return (response.body as { items: Found[] }).items;
  };
  const titles = async (q: string, rest = {}) => (await search(q, rest)).map(({ title }) => title).sort();

  describe('in many documents', () => {
    let shared: TestTenant;
    let reader: Actor;
    const TEXTS: Record<string, string> = {
      care: 'Die Pflegeversicherung zahlt.',
      car: 'Kraftfahrzeughaftpflichtversicherungen',
      building: 'Baugenehmigung mit Nebenbestimmungen',
      lease: 'Mietvertrags-Entwurf, Hauptstraße 5, sehr angenehm',
      plain: 'Eine Versicherung, ein Vertrag, eine Genehmigung und eine Straße',
      order: 'Verordnung über Anordnungen',
      english: 'The subcontractor and the policyholder',
    };
    beforeAll(async () => {
      shared = await service.tenant();
      reader = await shared.as('editor');
      for (const [title, text] of Object.entries(TEXTS))
        await saveDocumentWithText(shared, reader, { title, text });
      await updateLexicon(shared);
    });

    it.each([
      ['Versicherung ', ['car', 'care', 'plain']],
      ['VERSICHERUNGEN ', ['car', 'care', 'plain']],
      ['Versicherung', ['car', 'care', 'plain']],
      ['Genehmigungen ', ['building', 'plain']],
      ['Haftpflicht ', ['car']],
      ['fahrzeug ', ['car']],
      ['Pflege ', ['care']],
      ['Verträge ', ['lease', 'plain']],
      ['Straßen ', ['lease', 'plain']],
      ['holder ', ['english']],
      ['Vertrag -Entwurf ', ['plain']],
      ['Bestimmungen Genehmigung ', ['building']],
      // Prefixes and endings that make other words, not compounds.
      ['Ordnung ', []],
      // Shorter than five letters, quoted, excluded, joined, the beginning of a word.
      ['Miet ', []],
      ['"Versicherung"', ['plain']],
      ['straße -versicherung ', ['lease']],
      ['Versicherung/zahlt ', []],
      ['Versicherung* ', ['plain']],
      ['Versich*', ['plain']],
    ])('returns 200: %j finds %j', async (q, expected) => {
      for (const order of ['newest', 'relevance'])
        expect((await search(q, { actor: reader, order })).map(({ title }) => title).sort()).toEqual(
          [...expected].sort(),
        );
    });

    it('returns 200 with excerpts that highlight compounds', async () => {
      const found = await search('genehmigung ', { actor: reader });
      const matches = found.map(({ title, excerpt }) => [
        title,
        excerpt?.segments.filter(({ isMatch }) => isMatch).map(({ text }) => text),
      ]);
      expect(Object.fromEntries(matches)).toEqual({ building: ['Baugenehmigung'], plain: ['Genehmigung'] });
    });
  });

  it('returns 200 by relevance: whole words and their forms before compounds, even in titles', async () => {
    for (const [title, text] of [
      ['Text mit Wort', `${'Wort '.repeat(300)} Genehmigung`],
      ['Text mit Form', `${'Wort '.repeat(300)} Genehmigungen`],
      ['Baugenehmigung', `${'Baugenehmigung '.repeat(50)} Sondergenehmigung`],
      ['Text mit Teil', 'Baugenehmigung'],
    ])
      await saveDocumentWithText(tenant, editor, { title, text });
    await updateLexicon(tenant);
    const found = await search('Genehmigung ', { order: 'relevance' });
    expect(found.map(({ title }) => title)).toEqual([
      'Text mit Wort',
      'Text mit Form',
      'Baugenehmigung',
      'Text mit Teil',
    ]);
  });

  it('returns 200 by relevance: documents with all whole words before those with a compound', async () => {
    for (const [title, text] of [
      ['Beide', `${'Wort '.repeat(300)} Antrag Versicherung`],
      ['Antrag', 'Pflegeversicherung'],
      ['Antragsformular', 'Pflegeversicherung'],
      ['Antragsformular Versicherung', ''],
    ])
      await saveDocumentWithText(tenant, editor, { title, text });
    await updateLexicon(tenant);
    const found = await search('Antrag Versicherung ', { order: 'relevance' });
    expect(found.map(({ title }) => title)).toEqual([
      'Beide',
      ...['Antragsformular Versicherung', 'Antrag', 'Antragsformular'],
    ]);
  });

  it('returns 200 by relevance: whole words of old documents before frequent compounds of new ones', async () => {
    const letter = await saveDocumentWithText(tenant, editor, { title: 'Brief', text: 'Versicherung' });
    const policy = await saveDocumentWithText(tenant, editor, { title: 'Police', text: 'Versicherungen' });
    await saveDocumentWithText(tenant, editor, { title: 'Pflegeversicherung' });
    await updateLexicon(tenant);
    await service.query(
      `INSERT INTO documents (tenant_id, id, title, status, created_by, created_at)
       SELECT d.tenant_id, gen_random_uuid(), d.title, d.status, d.created_by, d.created_at + interval '1 minute'
         FROM documents d CROSS JOIN generate_series(1, 1100) WHERE d.tenant_id = $1 AND d.title = 'Pflegeversicherung'`,
      [tenant.id],
    );
    await service.query(
      `INSERT INTO document_texts (tenant_id, document_id, part, created_at, text, vector)
       SELECT d.tenant_id, d.id, 0, d.created_at, d.title, 'pflegeversicherung:1A'
         FROM documents d WHERE d.tenant_id = $1 ON CONFLICT DO NOTHING`,
      [tenant.id],
    );
    for (const limit of [1, 2, 3, 200]) {
      const request = { q: 'Versicherung ', order: 'relevance' };
      const ids = await searchDocumentIds(editor, request, limit, limit === 200 ? Infinity : 4);
      expect(ids).toEqual([...new Set(ids as string[])]);
      expect((ids as string[]).slice(0, 2)).toEqual([letter.id, policy.id]);
      expect(ids).toHaveLength(limit === 200 ? 1002 : 4 * limit);
    }
  });

  it('returns 200 with at most the 100 shortest compounds of a word', async () => {
    const letters = 'abcdefghijkl';
    const names = Array.from(
      { length: 144 },
      (_, n) => `${letters[n % 12] ?? ''}${letters[Math.floor(n / 12)] ?? ''}`,
    );
    const words = names.map((name, n) => `xo${name}vertrag${n < 100 ? '' : 'shalter'}`);
    for (const [n, word] of words.entries())
      if (n % 12 === 0)
        await saveDocumentWithText(tenant, editor, { title: word, text: words.slice(n, n + 12).join(' ') });
    await updateLexicon(tenant);
    // Nine documents have the first hundred words.
    expect(await search('vertrag ')).toHaveLength(9);
  });

  it('returns 200 without compounds that only confidential documents have, before and after a change', async () => {
    const listed = await tenant.as('editor');
    const secret = await saveDocumentWithText(tenant, editor, {
      title: 'Geheim',
      text: 'Sondergenehmigung',
      confidentialTo: [editor],
    });
    await updateLexicon(tenant);
    expect([await titles('genehmigung'), await titles('genehmigung', { actor: listed })]).toEqual([[], []]);
    // The word itself finds the document for users on its list.
    expect(await titles('sondergenehmigung')).toEqual(['Geheim']);
    await editor.put(`/documents/${secret.id}/confidentiality`, { isConfidential: false }).expect(200);
    await updateLexicon(tenant);
    expect(await titles('genehmigung', { actor: listed })).toEqual(['Geheim']);
    // Known from another document, the compound also finds the confidential one, for users on its list.
    await saveDocumentWithText(tenant, editor, { title: 'Offen', text: 'Sondergenehmigung' });
    await editor.put(`/documents/${secret.id}/confidentiality`, { isConfidential: true }).expect(200);
    await updateLexicon(tenant);
    expect(await titles('genehmigung')).toEqual(['Geheim', 'Offen']);
    expect(await titles('genehmigung', { actor: listed })).toEqual(['Offen']);
  });

  it('returns 200 without compounds of other tenants and of invisible documents', async () => {
    const other = await service.tenant();
    await saveDocumentWithText(other, await other.as('editor'), {
      title: 'Fremd',
      text: 'Sondergenehmigung',
    });
    await updateLexicon(other);
    const file = await saveFile(tenant, editor);
    await saveDocumentWithText(tenant, editor, {
      title: 'Sichtbar',
      text: 'Baugenehmigung',
      fileIds: [file.id],
    });
    await saveDocumentWithText(tenant, editor, { title: 'Unsichtbar', text: 'Baugenehmigung' });
    await updateLexicon(tenant);
    const guest = await tenant.as('guest');
    await saveAccessGrant(tenant, guest, { file: file.id });
    expect(await titles('genehmigung', { actor: guest })).toEqual(['Sichtbar']);
    expect(await titles('genehmigung')).toEqual(['Sichtbar', 'Unsichtbar']);
  });
});
