import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { ownerTransaction, saveDocumentWithText } from '../../../factories/document-texts.js';
import { setCreatedAt, saveDocument, saveTag, upload } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { saveView } from '../../../factories/saved-views.js';
import { DocumentTextsRepository } from '../../../../src/resources/documents/contents/document-texts.repository.js';
import { type Actor } from '../../../support/actor.js';
import { readQuery } from '../../../../src/resources/documents/search/search-query.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';

interface FoundDocument {
  readonly id: string;
  readonly title: string;
  readonly excerpt?: { segments: { text: string; isMatch: boolean }[] } | null;
}

const highlighted = ({ excerpt }: FoundDocument) =>
  excerpt?.segments.filter(({ isMatch }) => isMatch).map(({ text }) => text);
const excerptText = ({ excerpt }: FoundDocument) => excerpt?.segments.map(({ text }) => text).join('');

describe('SearchDocuments', () => {
  let tenant: TestTenant;
  let editor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Emma');
  });

  const GROUPED: Record<string, string> = {
    account: 'Konto DE89 3704 0044 0532 0130 00',
    accounts: 'DE89370400440532013000',
    phone: 'Tel. (030) 123-4567',
    phones: 'Tel. 0301234567',
    pairs: 'Tel. 030 12 34 56 7',
    triple: 'Tel. 030/123 45 67-0',
    amount: '98.765,43 EUR',
    amounts: '98765,43 EUR',
    others: '030 4567 und 123456 und 98 765 und DE89 am 43.',
  };
  const NUMBERS: Record<string, readonly string[]> = {
    'DE89370400440532013000 ': ['account', 'accounts'],
    de89370400440532013000: ['account', 'accounts'],
    'DE89 3704 0044 0532 0130 00 ': ['account', 'accounts'],
    'DE89 3704 0044 0532 0130 00 Konto ': ['account'],
    'Konto DE89 3704 0044 ': ['account'],
    '0301234567 ': ['phone', 'phones', 'triple'],
    '0301234567': ['phone', 'phones', 'triple'],
    '03012345670 ': ['triple'],
    '030/1234567 ': ['phone', 'phones', 'triple'],
    '030 123 45 67 ': ['phone', 'phones', 'triple'],
    '030 1234 567 ': ['phone', 'phones', 'triple'],
    '(030) 123-4567 ': ['phone', 'phones', 'triple'],
    '030 12 34 56 7 ': ['pairs', 'phone', 'phones', 'triple'],
    '0301234568 ': [],
    '98765,43 ': ['amount', 'amounts'],
    '98.765,43 ': ['amount', 'amounts'],
    "98'765.43 ": ['amount', 'amounts'],
    // Not in quotes, and not for excluded words.
    '"0301234567" ': ['phones'],
    '"98765,43" ': ['amounts'],
    '-0301234567 Tel ': ['pairs', 'phone', 'triple'],
    '-98.765,43 EUR ': ['amounts'],
  };
  it('returns 200 with numbers in other groups of digits', async () => {
    for (const [title, text] of Object.entries(GROUPED))
      await saveDocumentWithText(tenant, editor, { title, text });
    for (const order of ['newest', 'relevance']) {
      const found: typeof NUMBERS = {};
      for (const q of Object.keys(NUMBERS)) found[q] = await titles(q, { order });
      expect({ order, found }).toEqual({ order, found: NUMBERS });
    }
  });

  it('returns 200 for as many numbers as a query can have, with a bounded number of other writings', async () => {
    const q = Array.from({ length: 18 }, (_, n) => `03012345${String(n).padStart(2, '0')}`).join(' ');
    await saveDocumentWithText(tenant, editor, { title: 'numbers', text: q });
    expect(await titles(q)).toEqual(['numbers']);
    expect(readQuery(q).wanted.flatMap(({ writings }) => writings)).toHaveLength(63);
  });

  it('returns 200 with an excerpt that marks the groups of a number', async () => {
    await saveDocumentWithText(tenant, editor, { title: 'x', text: 'Tel. (030) 123-4567, Konto 030' });
    const [found] = await searchItems({ q: '0301234567' });
    expect(found && highlighted(found)).toEqual(['030', '123', '4567']);
  });

  const search = (body: object, actor = editor) => actor.post('/documents/search', body);
  const searchItems = async (body: object, actor = editor) => {
    const response = await search(body, actor);
    expect([response.status, response.body]).toMatchObject([200, {}]);
    return (response.body as { items: FoundDocument[] }).items;
  };
  const titles = async (q: string, rest: object = {}) =>
    (await searchItems({ q, ...rest })).map(({ title }) => title).sort();

  describe('words', () => {
    let shared: TestTenant;
    let reader: Actor;
    const TEXTS: Record<string, string> = {
      houses: 'Die Häuser stehen in der Hauptstraße. Die Frist läuft ab.',
      house: 'Ein Haus in der HAUPTSTRASSE; ab heute läuft die Frist',
      running: 'Running costs of three companies: the company’s café closes',
      permit: 'Bau-Genehmigung erteilt, Aktenzeichen 12/2026-B, Rechnung/Mahnung',
      solid: 'Baugenehmigungen des Amtes (Entwurf) über 1.234,50 EUR',
      broken: 'Die Geneh-\nmigung des Vor\u00adgangs wurde dekomponiert: Mu\u0308ller',
      greek: 'Σοφός Ὀδυσσεύς Москва 東京都',
      names: 'Łukasz Wałęsa, Øystein Ærøskøbing, Đorđe Þórður; ılık Œuvre',
    };
    beforeAll(async () => {
      shared = await service.tenant();
      reader = await shared.as('editor');
      for (const [title, text] of Object.entries(TEXTS))
        await saveDocumentWithText(shared, reader, { title, text });
    });

    it.each([
      // Inflected German and English words.
      { queries: ['haus ', 'HÄUSERN ', 'hauser '], finds: ['house', 'houses'] },
      { queries: ['run ', 'runs ', 'company ', 'company’s ', "companies' "], finds: ['running'] },
      // Case, accents, ß.
      { queries: ['hauptstrasse ', 'HAUPTSTRASSE ', 'Hauptstraße '], finds: ['house', 'houses'] },
      { queries: ['cafe ', 'CAFÉ '], finds: ['running'] },
      { queries: ['muller ', 'Müller ', 'Mu\u0308ller '], finds: ['broken'] },
      // Letters without a decomposition.
      {
        queries: ['lukasz walesa ', 'ŁUKASZ "Walęsa" ', 'Oystein ', 'Aeroskobing ', 'ærøsk'],
        finds: ['names'],
      },
      { queries: ['Dorde Thordur ', 'ilik oeuvre '], finds: ['names'] },
      // Other scripts, without inflection.
      { queries: ['σοφος ', 'МОСКВА '], finds: ['greek'] },
      // Hyphenated compounds, also across lines; soft hyphens.
      { queries: ['Bau-Genehmigung ', 'Baugenehmigung '], finds: ['permit', 'solid'] },
      { queries: ['Genehmigung ', 'Genehmigungen '], finds: ['broken', 'permit'] },
      { queries: ['Vorgang ', 'Vor\u00adgang '], finds: ['broken'] },
      // Words joined by other characters; numbers.
      { queries: ['Mahnung ', 'Rechnung ', '12/2026 ', '2026-B '], finds: ['permit'] },
      { queries: ['2026/12 '], finds: [] },
      { queries: ['1.234,50 ', '234 '], finds: ['solid'] },
      // All words must occur; stop words are ignored unless there are only stop words.
      { queries: ['haus frist ', 'the haus über ', 'für ein haus '], finds: ['house', 'houses'] },
      { queries: ['haus company '], finds: [] },
      { queries: ['ein '], finds: ['house'] },
      { queries: ['die der '], finds: ['houses', 'house'].sort() },
      // The last word is a prefix, unless a space follows or it is quoted.
      { queries: ['Geneh'], finds: ['broken', 'permit'] },
      { queries: ['baugeneh', 'Bau-Geneh'], finds: ['permit', 'solid'] },
      { queries: ['Gene ', '"Genehm"', 'Geneh Bau'], finds: [] },
      { queries: ['c'], finds: ['running'] },
      { queries: ['12/20'], finds: ['permit'] },
      // A word with `*` is the beginning of words, anywhere.
      { queries: ['Geneh* Aktenz', 'Aktenzeichen geneh*'], finds: ['permit'] },
      { queries: ['geneh* ', 'GENEH** ', '(geneh*), '], finds: ['broken', 'permit'] },
      { queries: ['Bau-Geneh* '], finds: ['permit', 'solid'] },
      { queries: ['häus* ', '-geneh* frist '], finds: ['house', 'houses'] },
      { queries: ['di* '], finds: ['broken', 'houses', 'house'].sort() },
      { queries: ['erteilt -baugeneh* '], finds: [] },
      { queries: ['-ge* -Ha* '], finds: ['greek', 'names', 'running', 'solid'] },
      // With one letter, without a letter and in quotes, `*` is ignored.
      { queries: ['g* haus '], finds: [] },
      { queries: ['geneh * ', '"geneh*" ', 'Geneh*migung '], finds: ['broken'] },
      // Phrases: the words in this order.
      { queries: ['"frist läuft ab"', '"Frist LAUFT Ab"', '"häuser"'], finds: ['houses'] },
      { queries: ['„läuft die Frist“', '«läuft die Frist»', '"haus"'], finds: ['house'] },
      { queries: ['"fristen läuft"', '"Genehmigung die"'], finds: [] },
      { queries: ['"die frist" haus '], finds: ['house', 'houses'] },
      { queries: ['"Genehmigung"'], finds: ['broken', 'permit'] },
      { queries: ['"die Genehmigung"'], finds: ['broken'] },
      // Excluded words and phrases.
      { queries: ['haus -ein '], finds: ['houses'] },
      { queries: ['genehmigung -bau '], finds: ['broken'] },
      { queries: ['baugenehmigung -Entwurf'], finds: ['permit'] },
      { queries: ['haus -"frist läuft"'], finds: ['house'] },
      { queries: ['-haus -genehmigung -baugenehmigung -run'], finds: ['greek', 'names'] },
      {
        queries: ['-"die frist" -"bau genehmigung" '],
        finds: ['broken', 'greek', 'names', 'running', 'solid'],
      },
      { queries: ['-Haupt'], finds: Object.keys(TEXTS).sort() },
      // Title and text are searched together.
      { queries: ['running café '], finds: ['running'] },
      { queries: ['greek haus '], finds: [] },
      // Characters that form no word are ignored.
      {
        queries: ["haus - & | ! <-> :* \\ ' ( ) ", '"haus', 'haus"', '-"haus', 'haus:* '],
        finds: ['house', 'houses'],
      },
      { queries: ['!haus & run | :*', "haus' | 'run "], finds: [] },
      { queries: ['', '  \t'], finds: Object.keys(TEXTS).sort() },
    ])('returns 200: each of $queries finds $finds', async ({ queries, finds }) => {
      for (const q of queries)
        for (const order of q.trim() === '' ? ['newest'] : ['newest', 'relevance']) {
          const found = (await searchItems({ q, order }, reader)).map(({ title }) => title).sort();
          expect({ q, order, found }).toEqual({ q, order, found: finds });
        }
    });

    it.each([
      ['"FRIST läuft" ', ['Frist', 'läuft'], 'Die Häuser stehen in der Hauptstraße. Die Frist läuft ab.'],
      ['frist häusern ', ['Häuser', 'Frist'], 'Die Häuser stehen in der Hauptstraße. Die Frist läuft ab.'],
      [
        'vorgang ',
        ['Vor\u00adgangs'],
        'Die Geneh- migung des Vor\u00adgangs wurde dekomponiert: Mu\u0308ller',
      ],
      ['genehmigung vorgang ', ['Geneh', 'migung', 'Vor\u00adgangs'], null],
      ['bau permit', ['Bau'], null],
    ])('returns 200: the excerpt for %j highlights %j', async (q, words, text) => {
      const items = await searchItems({ q }, reader);
      const [item] = items.filter(({ title }) => title !== 'house');
      expect(item && highlighted(item)).toEqual(words);
      if (text !== null) expect(item && excerptText(item)).toBe(text);
    });
  });

  it('returns 200: a beginning with `*` matches words, not stems of other words', async () => {
    await saveDocumentWithText(tenant, editor, { title: 'skies' });
    await saveDocumentWithText(tenant, editor, { title: 'skyline' });
    expect(await titles('sky* ')).toEqual(['skyline']);
    expect(await titles('-sky* ')).toEqual(['skies']);
    expect(await titles('sky ')).toEqual(['skies']);
  });

  it('returns 200 for words of the title and the file name, not for those of a former title', async () => {
    const response = await upload(
      editor,
      { title: 'Bescheid' },
      { bytes: 'x', fileName: 'Grundsteuer_2026-neu.pdf' },
    );
    const { id } = response.body as { id: string };
    for (const q of ['bescheid', 'grundsteuer', '2026', 'pdf', 'grundsteuer bescheid neu']) {
      expect((await searchItems({ q })).map((item) => item.id)).toEqual([id]);
    }
    await service.query(`UPDATE documents SET status = 'Active' WHERE tenant_id = $1`, [tenant.id]);
    await editor.put(`/documents/${id}`, { title: 'Mahnung' }).expect(200);
    expect(await titles('mahnung grundsteuer')).toEqual(['Mahnung']);
    expect(await titles('bescheid')).toEqual([]);
  });

  it('returns 200 for the present text only, after it is replaced or removed', async () => {
    const { id } = await saveDocumentWithText(tenant, editor, { title: 'x', text: 'Erste Fassung' });
    const texts = service.app.get(DocumentTextsRepository);
    await texts.replaceText(ownerTransaction(tenant), id, 'Zweite Fassung\u0000 mit \u0001Zeichen\ud800');
    expect([await titles('erste '), await titles('zweite zeichen ')]).toEqual([[], ['x']]);
    await texts.replaceText(ownerTransaction(tenant), id, null);
    expect(await titles('zweite ')).toEqual([]);
    expect(await titles('x')).toEqual(['x']);
  });

  it('returns 200 for a phrase deep in a long text, even across two of its parts', async () => {
    const words = Array.from({ length: 100_000 }, (_, n) => (n % 3 === 0 ? 'EUR' : `wort${n}`));
    words.splice(99_990, 0, 'tief', 'vergraben');
    const { id } = await saveDocumentWithText(tenant, editor, { title: 'Buch', text: words.join(' ') });
    expect(await titles('"tief vergraben"')).toEqual(['Buch']);
    expect(await titles('"vergraben tief"')).toEqual([]);
    for (let n = 1; n < 100_000; n += 4073) {
      const [one, other] =
        n % 3 === 0
          ? ['EUR', `wort${n + 1}`]
          : n % 3 === 1
            ? [`wort${n}`, `wort${n + 1}`]
            : [`wort${n}`, 'EUR'];
      if (n > 99_000) break;
      expect([n, await titles(`"${one} ${other}"`)]).toEqual([n, ['Buch']]);
    }
    const [item] = await searchItems({ q: '"tief vergraben"' });
    expect(item && [item.id, highlighted(item)]).toEqual([id, ['tief', 'vergraben']]);
    expect(item && excerptText(item)).toMatch(/^….+ tief vergraben .*$/);
  });

  it('returns 200 with an excerpt of about 30 words; none without q, null without a match', async () => {
    const filler = Array.from({ length: 200 }, (_, n) => `f${n}`).join(' ');
    await saveDocumentWithText(tenant, editor, { title: 'Brief', text: `${filler} Ziel ${filler}` });
    const [[plain], [absent], [shown], [title]] = [
      await searchItems({}),
      await searchItems({ q: '-fehlt' }),
      await searchItems({ q: 'ziel' }),
      await searchItems({ q: 'brief' }),
    ];
    expect(plain && 'excerpt' in plain).toBe(false);
    expect(absent?.excerpt).toBeNull();
    expect(shown && excerptText(shown)).toMatch(/^…f194 .* f199 Ziel f0 .* f22…$/);
    expect(title?.excerpt).toEqual({ segments: [{ text: 'Brief', isMatch: true }] });
  });

  it('returns 200 with the excerpt as plain text, without interpreting markup', async () => {
    const text = '<b>Ziel</b> \ue000Ziel\ue001 &amp; <script>alert(1)</script>';
    await saveDocumentWithText(tenant, editor, { text });
    const [item] = await searchItems({ q: 'ziel' });
    expect(item && [excerptText(item), highlighted(item)]).toEqual([text, ['Ziel', 'Ziel']]);
  });

  it('returns 200 without documents that the caller cannot see', async () => {
    const other = await service.tenant();
    await saveDocumentWithText(other, await other.as('editor'), { title: 'Ziel fremd', text: 'Ziel' });
    const granted = await saveFile(tenant, editor);
    const open = await saveDocumentWithText(tenant, editor, {
      title: 'Offen',
      text: 'Ziel',
      fileIds: [granted.id],
    });
    const secret = await saveDocumentWithText(tenant, editor, {
      title: 'Geheim',
      text: 'Ziel',
      fileIds: [granted.id],
      confidentialTo: [editor],
    });
    const binned = await saveDocumentWithText(tenant, editor, {
      title: 'Alt',
      text: 'Ziel',
      status: 'Deleted',
    });
    const elsewhere = await saveDocumentWithText(tenant, editor, { title: 'Anderswo', text: 'Ziel' });
    const [viewer, guest] = [await tenant.as('viewer'), await tenant.as('guest')];
    await saveAccessGrant(tenant, guest, { file: granted.id });
    for (const order of ['newest', 'relevance']) {
      const ids = async (actor: Actor, rest: object = {}) =>
        (await searchItems({ q: 'ziel', order, ...rest }, actor)).map(({ id }) => id).sort();
      expect(await ids(editor)).toEqual([open.id, secret.id, elsewhere.id].sort());
      expect(await ids(viewer)).toEqual([open.id, elsewhere.id].sort());
      expect(await ids(guest)).toEqual([open.id]);
      expect(await ids(editor, { status: 'Deleted' })).toEqual([binned.id]);
      expect(await ids(viewer, { status: 'Deleted' })).toEqual([]);
    }
  });

  it('returns 200 combined with filters and saved views', async () => {
    const [tag, file] = [await saveTag(tenant), await saveFile(tenant, editor)];
    const both = await saveDocumentWithText(tenant, editor, {
      title: 'Ziel',
      tagIds: [tag.id],
      fileIds: [file.id],
    });
    await saveDocumentWithText(tenant, editor, { title: 'Ziel', tagIds: [tag.id] });
    await saveDocumentWithText(tenant, editor, { title: 'Weg', tagIds: [tag.id], fileIds: [file.id] });
    const view = await saveView(tenant, editor, { filter: { tagIds: [tag.id] } });
    for (const order of ['newest', 'relevance']) {
      for (const rest of [
        { filter: { tagIds: [tag.id], fileId: file.id } },
        { filter: { fileId: file.id }, savedViewId: view.id, status: 'Active' },
      ]) {
        expect((await searchItems({ q: 'ziel', order, ...rest })).map(({ id }) => id)).toEqual([both.id]);
      }
      expect(await searchItems({ q: 'ziel', order, status: 'Archived' })).toEqual([]);
    }
  });

  it('returns 200 by relevance: title before text, exact word before an inflected form', async () => {
    for (const [title, text] of [
      ['nur im Text', 'Eine Genehmigung'],
      ['andere Form', 'Zwei Genehmigungen'],
      ['Genehmigung', null],
      ['oft im Text', 'Genehmigung Genehmigung Genehmigung'],
    ] as const) {
      await saveDocumentWithText(tenant, editor, { title, text });
    }
    await saveDocument(tenant, editor, { title: 'ohne' });
    const items = await searchItems({ q: 'Genehmigung ', order: 'relevance' });
    expect(items.map(({ title }) => title)).toEqual([
      'Genehmigung',
      'oft im Text',
      'nur im Text',
      'andere Form',
    ]);
  });

  it.each(['newest', 'relevance'])(
    'returns 200 by %s with each document on one page while others are added',
    async (order) => {
      const made: string[] = [];
      for (let n = 0; n < 9; n += 1) {
        const { id } = await saveDocumentWithText(tenant, editor, {
          title: `Nr ${n}`,
          text: 'Ziel '.repeat(1 + (n % 3)),
        });
        await setCreatedAt(tenant, id, `2026-01-01T00:00:0${Math.floor(n / 2)}Z`);
        made.push(id);
      }
      const expected = (await searchItems({ q: 'ziel', order })).map(({ id }) => id);
      expect([...expected].sort()).toEqual(made.sort());
      const read: string[] = [];
      for (let cursor: string | null = null, page = 0; ; page += 1) {
        const response = await search({ q: 'ziel', order, limit: 2, cursor });
        const { items, nextCursor } = response.body as { items: FoundDocument[]; nextCursor: string | null };
        read.push(...items.map(({ id }) => id));
        if (nextCursor === null) break;
        for (const other of [
          { q: 'ziele' },
          { q: 'ziel ' },
          { q: 'ziel', order: order === 'newest' ? 'relevance' : 'newest' },
        ]) {
          expectProblem(await search({ order, limit: 2, cursor: nextCursor, ...other }), 'request.invalid', [
            'cursor',
          ]);
        }
        cursor = nextCursor;
        // The newest and most relevant document: a list that was started before does not contain it.
        await saveDocumentWithText(tenant, editor, { title: 'Ziel', text: 'Ziel Ziel Ziel' });
        if (page > 9) throw new Error('The pages do not end');
      }
      expect(read).toEqual(expected);
    },
  );

  it.each([
    [{ q: 'x'.repeat(201) }, 'q'],
    [{ q: 'a\u0000b' }, 'q'],
    [{ q: 'a\nb' }, 'q'],
    [{ q: 'a\ud800' }, 'q'],
    [{ q: 5 }, 'q'],
    [{ q: ['x'] }, 'q'],
    [{ q: Array.from({ length: 21 }, (_, n) => `w${n}`).join(' ') }, 'q'],
    [{ q: `"${Array.from({ length: 21 }, (_, n) => `w${n}`).join(' ')}"` }, 'q'],
    [{ q: 'ab* cd* -ef* gh* ij*' }, 'q'],
    [{ q: '%' }, 'q'],
    [{ q: '""' }, 'q'],
    [{ q: '*' }, 'q'],
    [{ q: '- & !' }, 'q'],
    [{ q: '-* " ' }, 'q'],
    [{ q: ' -"" ' }, 'q'],
    [{ order: 'relevance' }, 'order'],
    [{ q: '', order: 'relevance' }, 'order'],
    [{ q: '  ', order: 'relevance' }, 'order'],
    [{ q: 'x', order: 'best' }, 'order'],
    [{ q: 'x', order: 1 }, 'order'],
  ])('returns 400 for %j', async (body, path) => {
    expectProblem(await search(body), 'request.invalid', [path]);
  });

  it('returns 200 for the longest q, the most words and null', async () => {
    for (const body of [
      { q: ` ${'ä'.repeat(200)} ` },
      { q: Array.from({ length: 20 }, (_, n) => `w${n}`).join(' ') },
      { q: 'ab* cd* -ef* gh* ij k* "lm*"' },
      { q: null, order: null },
      { q: '', order: 'newest' },
    ]) {
      await searchItems(body);
    }
  });
});
