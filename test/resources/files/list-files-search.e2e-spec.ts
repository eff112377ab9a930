import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveFileType } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { readAll } from '../../support/operations/paged-list.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

interface Case {
  readonly q: string;
  readonly finds: string[];
}

describe('ListFiles with a search text', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let fileTypeId: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
    fileTypeId = (await saveFileType(tenant)).id;
  });

  const create = async (number: string, name: string) => {
    const response = await editor.post('/files', { fileTypeId, number, name });
    expect(response.status).toBe(201);
    return response.body as { id: string };
  };
  const findNumbers = async (q: string, limit = 200): Promise<string[]> => {
    const files = await readAll(editor, `/files?q=${encodeURIComponent(q)}`, limit);
    return files.map((file) => (file as unknown as { number: string }).number).sort();
  };
  const check = async (files: Record<string, string>, cases: Case[]) => {
    for (const [number, name] of Object.entries(files)) await create(number, name);
    const results: Case[] = [];
    for (const { q } of cases) results.push({ q, finds: await findNumbers(q) });
    expect(results).toEqual(cases);
  };

  it('returns 200 with all files for an empty or blank q', () =>
    check({ 'A-1': 'Bauakte', 'B-2': 'Personalakte' }, [
      { q: '', finds: ['A-1', 'B-2'] },
      { q: ' \u00a0', finds: ['A-1', 'B-2'] },
    ]));

  it('returns 200 for a part of the number or name, from three characters on', () =>
    check({ 'AZ-2026/0042': 'Neubau Feuerwache Nord', 'AZ-2026/0043': 'Umbau' }, [
      { q: 'wache', finds: ['AZ-2026/0042'] },
      { q: 'bau', finds: ['AZ-2026/0042', 'AZ-2026/0043'] },
      { q: 'u f', finds: ['AZ-2026/0042'] },
      { q: '026', finds: ['AZ-2026/0042', 'AZ-2026/0043'] },
      { q: '/0042', finds: ['AZ-2026/0042'] },
      { q: 'AZ-2026/0042', finds: ['AZ-2026/0042'] },
      { q: '  wache  ', finds: ['AZ-2026/0042'] },
      { q: 'wach e', finds: [] },
      { q: 'wacht', finds: [] },
    ]));

  it('returns 200 without matches across number and name', () =>
    check({ 'AZ-1': 'Umbau' }, [
      { q: '1Um', finds: [] },
      { q: '1 Um', finds: [] },
      { q: 'z-1u', finds: [] },
      { q: 'AZ-1 Umbau', finds: [] },
    ]));

  it('returns 200 ignoring case and accents, with ß as ss and letters such as ł as l', () =>
    check(
      {
        'Ä-1': 'Straße Ökologie',
        'a-2': 'STRASSE',
        'B-3': 'Crème Brûlée Łódź',
        'B-4': 'İstanbul Kırmızı',
        'B-5': 'Ærø',
      },
      [
        { q: 'strasse', finds: ['a-2', 'Ä-1'] },
        { q: 'STRAẞE', finds: ['a-2', 'Ä-1'] },
        { q: 'straße', finds: ['a-2', 'Ä-1'] },
        { q: 'aße', finds: ['a-2', 'Ä-1'] },
        { q: 'OKOLOGIE', finds: ['Ä-1'] },
        { q: 'O\u0308kologie', finds: ['Ä-1'] },
        { q: 'Stra\u0301sse', finds: ['a-2', 'Ä-1'] },
        { q: 'creme brulee', finds: ['B-3'] },
        { q: 'ÇRÈMÉ', finds: ['B-3'] },
        { q: 'łodz', finds: ['B-3'] },
        { q: 'lodz', finds: ['B-3'] },
        { q: 'lo', finds: ['B-3'] },
        { q: 'ł', finds: ['B-3'] },
        { q: 'aero', finds: ['B-5'] },
        { q: 'æ', finds: ['B-5'] },
        { q: 'ae', finds: ['B-5'] },
        { q: 'ærø', finds: ['B-5'] },
        { q: 'istanbul', finds: ['B-4'] },
        { q: 'KIRMIZI', finds: ['B-4'] },
        { q: 'a-1', finds: ['Ä-1'] },
        { q: 'oeko', finds: [] },
      ],
    ));

  it('returns 200 with %, _ and \\\\ as literal characters', () =>
    check(
      { 'P-1': '100 % sicher', 'P-2': 'a_b c', 'P-3': 'C:\\temp', 'P-4': 'axb 100 sicher', 'P-5': '%_\\ .*' },
      [
        { q: '100 %', finds: ['P-1'] },
        { q: '%%%', finds: [] },
        { q: '___', finds: [] },
        { q: 'a_b', finds: ['P-2'] },
        { q: ':\\t', finds: ['P-3'] },
        { q: '\\\\\\', finds: [] },
        { q: '%_\\', finds: ['P-5'] },
        { q: '%', finds: ['P-1', 'P-5'] },
        { q: '_', finds: [] },
        { q: '\\', finds: [] },
        { q: '.*', finds: ['P-5'] },
        { q: "'; DROP TABLE files; --", finds: [] },
      ],
    ));

  it('returns 200 with an unencoded percent sign as a literal character', async () => {
    await create('P-1', '100% sicher');
    await create('P-2', '100 sicher');
    for (const query of ['q=100%', 'q=00%+s', 'q=%25+s', 'q=00%25%20s']) {
      expect(
        (await readAll(editor, `/files?${query}`, 1)).map(
          (file) => (file as unknown as { number: string }).number,
        ),
      ).toEqual(['P-1']);
    }
  });

  it('returns 200 for one or two characters at the start of the number or of a word', () =>
    check(
      {
        'AZ-1': 'Neubau Feuerwache',
        'ZN-2': 'Umbau (Halle) Nord-Ost',
        'C1/x': 'A b\u00a0xy',
        '1': '7 Zwerge',
      },
      [
        { q: 'n', finds: ['AZ-1', 'ZN-2'] },
        { q: 'NE', finds: ['AZ-1'] },
        { q: 'eu', finds: [] },
        { q: 'z', finds: ['1', 'ZN-2'] },
        { q: 'az', finds: ['AZ-1'] },
        { q: 'z-', finds: [] },
        { q: '-1', finds: [] },
        { q: 'c1', finds: ['C1/x'] },
        { q: '/x', finds: [] },
        { q: 'h', finds: ['ZN-2'] },
        { q: '(h', finds: ['ZN-2'] },
        { q: 'os', finds: ['ZN-2'] },
        { q: 'ha', finds: ['ZN-2'] },
        { q: 'xy', finds: ['C1/x'] },
        { q: 'b', finds: ['C1/x'] },
        { q: '7', finds: ['1'] },
        { q: '1', finds: ['1'] },
        { q: ' f ', finds: ['AZ-1'] },
      ],
    ));

  it('returns 200 for one or two characters that fold to more, also only at a start', () =>
    check(
      {
        '1': 'ssa und so',
        '2': 'Masse',
        '3': 'Messe/ssa',
        'ss-4': 'x',
        '5-ss': 'x',
        ssss5: 'x',
        '6': 'Essß',
        '7': 'жßa',
        '8': 'éßa',
        '9': 'ﬁnal',
        '10': 'affinal ffi',
        '11': 'ßßs',
      },
      [
        { q: 'ß', finds: ['1', '11', '3', 'ss-4', 'ssss5'] },
        { q: 'ẞ', finds: ['1', '11', '3', 'ss-4', 'ssss5'] },
        { q: 'ss', finds: ['1', '11', '3', 'ss-4', 'ssss5'] },
        { q: 'ßa', finds: ['1', '3'] },
        { q: 'ßß', finds: ['11', 'ssss5'] },
        { q: 'ﬁ', finds: ['9'] },
        { q: 'ﬃ', finds: ['10'] },
        { q: 'ﬃ.', finds: [] },
        { q: 'mß', finds: [] },
      ],
    ));

  it('returns 200 for characters beyond the basic plane, and scripts without spaces', () =>
    check({ 'E-1': '😀😁😂 Fest', 'E-2': '東京都庁', 'E-3': '한글 문서' }, [
      { q: '😀', finds: ['E-1'] },
      { q: '😀😁', finds: ['E-1'] },
      { q: '😁', finds: [] },
      { q: '😁😂 ', finds: [] },
      { q: '😁😂 f', finds: ['E-1'] },
      { q: '東京', finds: ['E-2'] },
      { q: '京都庁', finds: ['E-2'] },
      { q: '京都', finds: [] },
      { q: '한', finds: ['E-3'] },
      { q: '문서', finds: ['E-3'] },
    ]));

  it('returns 200 combined with other filters, and page by page', async () => {
    for (let n = 0; n < 5; n += 1) await create(`S-${n}`, `Sache ${n}`);
    const { id } = await create('S-closed', 'Sache');
    await editor.post(`/files/${id}/close`);
    expect(await findNumbers('sache', 2)).toEqual(['S-0', 'S-1', 'S-2', 'S-3', 'S-4', 'S-closed']);
    expect(await findNumbers('sa', 2)).toEqual(['S-0', 'S-1', 'S-2', 'S-3', 'S-4', 'S-closed']);
    const closed = await readAll(editor, '/files?q=sache&status=Closed', 1);
    expect(closed.map((file) => file.id)).toEqual([id]);
  });

  it('returns 200 by the new name after RenameFile, not by the old one', async () => {
    const { id } = await create('R-1', 'Alter Name');
    await editor.put(`/files/${id}`, { name: 'Neuer Titel' });
    expect(await Promise.all(['alter', 'al', 'neuer', 'ti', 'r-1'].map((q) => findNumbers(q)))).toEqual([
      [],
      [],
      ['R-1'],
      ['R-1'],
      ['R-1'],
    ]);
  });

  it('returns 200 for a text of 200 characters, without files of another tenant', async () => {
    const other = await service.tenant();
    const there = await other.as('editor');
    const name = '😀'.repeat(200);
    await there.post('/files', { fileTypeId: (await saveFileType(other)).id, number: 'X', name });
    expect(await findNumbers(name)).toEqual([]);
    await create('L-1', name);
    expect(await findNumbers(name)).toEqual(['L-1']);
  });
});
