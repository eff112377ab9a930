import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveDocumentWithText } from '../../../factories/document-texts.js';
import { saveTag } from '../../../factories/documents.js';
import { type Actor } from '../../../support/actor.js';
import { sized } from '../../../support/exhaustive.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';

interface Page {
  readonly items: { readonly id: string; readonly excerpt?: unknown }[];
  readonly nextCursor: string | null;
}

describe('ListDocuments', () => {
  let tenant: TestTenant;
  let editor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Emma');
  });

  const list = (query: Record<string, string>, actor = editor) =>
    actor.get(`/documents?${new URLSearchParams(query).toString()}`);
  const page = async (query: Record<string, string>) => {
    const response = await list(query);
    expect(response.status).toBe(200);
    return response.body as Page;
  };
  const ids = async (query: Record<string, string>) => (await page(query)).items.map(({ id }) => id);

  it('returns 200 with documents as in GetDocument, each with an excerpt', async () => {
    const { id } = await saveDocumentWithText(tenant, editor, {
      title: 'Bescheid',
      text: 'Die Frist läuft ab.',
    });
    await saveDocumentWithText(tenant, editor, { title: 'Bescheid' });
    const document = (await editor.get(`/documents/${id}`)).body as object;
    expect(await page({ q: 'fristen bescheid' })).toEqual({
      items: [
        {
          ...document,
          excerpt: {
            segments: [
              { text: 'Die ', isMatch: false },
              { text: 'Frist', isMatch: true },
              { text: ' läuft ab.', isMatch: false },
            ],
          },
        },
      ],
      nextCursor: null,
    });
    expect(await tenant.audit()).toEqual([]);
  });

  it('returns 200 and treats the last word as a prefix unless a space follows', async () => {
    const { id } = await saveDocumentWithText(tenant, editor, { title: 'Genehmigung' });
    expect(await ids({ q: 'gen' })).toEqual([id]);
    expect(await ids({ q: 'gen ' })).toEqual([]);
    expect(await ids({ q: ' genehmigung  ' })).toEqual([id]);
  });

  it('returns 200 for words with tags, by relevance or newest; all documents for an empty q', async () => {
    const { id: tagId } = await saveTag(tenant);
    const text = await saveDocumentWithText(tenant, editor, { title: 'x', text: 'Ziel', tagIds: [tagId] });
    const title = await saveDocumentWithText(tenant, editor, { title: 'Ziel', tagIds: [tagId] });
    const newer = await saveDocumentWithText(tenant, editor, { title: 'y', text: 'Ziel' });
    expect(await ids({ q: 'ziel', tagIds: tagId, order: 'relevance' })).toEqual([title.id, text.id]);
    expect((await ids({ q: 'ziel', order: 'newest' })).sort()).toEqual([text.id, title.id, newer.id].sort());
    for (const q of ['', '  ']) expect(await ids({ q })).toHaveLength(3);
    expect('excerpt' in ((await page({ q: '' })).items[0] ?? {})).toBe(false);
  });

  it('returns 400 for a cursor of other words or another order', async () => {
    for (let n = 0; n < 3; n += 1) await saveDocumentWithText(tenant, editor, { title: 'Ziel' });
    for (const order of ['newest', 'relevance']) {
      const { nextCursor } = await page({ q: 'ziel', order, limit: '1' });
      const cursor = nextCursor ?? '';
      expect((await page({ q: 'ziel', order, limit: '1', cursor })).items).toHaveLength(1);
      const others: Record<string, string>[] = [{ q: 'ziele', order }, { q: 'ziel ', order }, { limit: '1' }];
      for (const other of others) {
        expectProblem(await list({ ...other, cursor }), 'request.invalid', ['cursor']);
      }
      const reversed = order === 'newest' ? 'relevance' : 'newest';
      expectProblem(await list({ q: 'ziel', order: reversed, cursor }), 'request.invalid', ['cursor']);
    }
  });

  it.each([
    [`q=${'x'.repeat(201)}`, 'q'],
    ['q=a%00', 'q'],
    ['q=a%0Ab', 'q'],
    ['q=a&q=b', 'q'],
    ['q=!%3F', 'q'],
    ['q=*', 'q'],
    [`q=${Array.from({ length: 21 }, (_, n) => `w${n}`).join('+')}`, 'q'],
    ['order=relevance', 'order'],
    ['q=&order=relevance', 'order'],
    ['q=a&order=', 'order'],
    ['q=a&order=Newest', 'order'],
    ['q=a&order=newest&order=newest', 'order'],
  ])('returns 400 for %s', async (query, path) => {
    expectProblem(await editor.get(`/documents?${query}`), 'request.invalid', [path]);
  });

  it('returns 200 for random texts with syntax and special characters', async () => {
    await saveDocumentWithText(tenant, editor, {
      title: 'Die Frist',
      text: `'"\\ & | ! <-> :* ( ) Ziel ' OR 1=1 --`,
    });
    const pieces = [
      ...[
        'ziel',
        'frist',
        'Häuser',
        '東京',
        'ﬁ',
        '½',
        '😀',
        'a\u0301\u0301',
        '\u00ad',
        '\u200b',
        'x'.repeat(70),
      ],
      ...[
        '"',
        '""',
        "'",
        '\\',
        '&',
        '|',
        '!',
        '!!',
        '<->',
        '<2>',
        ':*',
        ':A',
        ':*A',
        '(',
        ')',
        '((',
        '-',
        '--',
        '+',
        '*',
      ],
      ...[
        ' ',
        '  ',
        '%',
        '_',
        '$1',
        '$$',
        ';',
        '/*',
        '--',
        '\u2028',
        '\ufeff',
        '\ue000',
        '„',
        '“',
        "') OR true --",
      ],
    ];
    let state = 7;
    const random = (below: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    const queries = Array.from({ length: sized(200, 1000) }, () =>
      Array.from({ length: 1 + random(8) }, () => pieces[random(pieces.length)] ?? '').join(
        random(2) === 0 ? '' : ' ',
      ),
    );
    const statuses = new Map<number, string[]>();
    for (let n = 0; n < queries.length; n += 20) {
      const sent = queries.slice(n, n + 20).map(async (q, place) => {
        const order = place % 5 === 0 && q.trim() !== '' ? 'relevance' : 'newest';
        return [q, (await list({ q, order })).status] as const;
      });
      for (const [q, status] of await Promise.all(sent)) {
        statuses.set(status, [...(statuses.get(status) ?? []), q]);
      }
    }
    // Only texts over 200 characters and those without a letter or digit are rejected.
    const isInvalid = (text: string) =>
      [...text].length > 200 || (text !== '' && !/[\p{L}\p{N}]/u.test(text));
    expect(statuses.get(400) ?? []).toEqual(queries.filter((q) => isInvalid(q.normalize('NFC').trim())));
    expect([...statuses.keys()].filter((status) => status !== 200 && status !== 400)).toEqual([]);
  });
});
