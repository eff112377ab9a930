import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveFileType } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { readAll } from '../../support/operations/paged-list.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

/** Search texts, each of which finds the files with these numbers. */
interface Case {
  readonly texts: string[];
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
    for (const { texts, finds } of cases)
      for (const q of texts) expect({ q, finds: await findNumbers(q) }).toEqual({ q, finds });
  };

  it('returns 200 with all files for an empty or blank q', () =>
    check({ 'A-1': 'Bauakte', 'B-2': 'Personalakte' }, [{ texts: ['', ' \u00a0'], finds: ['A-1', 'B-2'] }]));

  it('returns 200 for a part of the number or name, from three characters on', () =>
    check({ 'AZ-2026/0042': 'Neubau Feuerwache Nord', 'AZ-2026/0043': 'Umbau' }, [
      { texts: ['wache', 'u f', '/0042', 'AZ-2026/0042', '  wache  '], finds: ['AZ-2026/0042'] },
      { texts: ['bau', '026'], finds: ['AZ-2026/0042', 'AZ-2026/0043'] },
      { texts: ['wach e', 'wacht'], finds: [] },
    ]));

  it('returns 200 without matches across number and name', () =>
    check({ 'AZ-1': 'Umbau' }, [{ texts: ['1Um', '1 Um', 'z-1u', 'AZ-1 Umbau'], finds: [] }]));

  it('returns 200 for six digits and more, in the number and in the name', () =>
    check(
      {
        'AZ-2026/00004711': 'Neubau',
        'AZ-2027/00004711': 'Umbau 2030-01',
        'B-1': 'Anruf 030123456, 00471',
        'B-2': '123456 %_ 123456',
      },
      [
        { texts: ['004711', '00004711', '/00004711'], finds: ['AZ-2026/00004711', 'AZ-2027/00004711'] },
        { texts: ['2026/0000471', '  az-2026/00004711 '], finds: ['AZ-2026/00004711'] },
        { texts: ['123456'], finds: ['B-1', 'B-2'] },
        { texts: ['f 030123456', '030123', '12345６, 00'], finds: ['B-1'] },
        { texts: ['123456 %', '%_ 123456'], finds: ['B-2'] },
        { texts: ['004711 neubau', '0047110', '123457', '203001', '123456_', '123456 123456'], finds: [] },
      ],
    ));

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
        { texts: ['strasse', 'STRAẞE', 'straße', 'aße', 'Stra\u0301sse'], finds: ['a-2', 'Ä-1'] },
        { texts: ['OKOLOGIE', 'O\u0308kologie', 'a-1'], finds: ['Ä-1'] },
        { texts: ['creme brulee', 'ÇRÈMÉ', 'łodz', 'lodz', 'lo', 'ł'], finds: ['B-3'] },
        { texts: ['aero', 'æ', 'ae', 'ærø'], finds: ['B-5'] },
        { texts: ['istanbul', 'KIRMIZI'], finds: ['B-4'] },
        { texts: ['oeko'], finds: [] },
      ],
    ));

  it('returns 200 with %, _ and \\\\ as literal characters', () =>
    check(
      { 'P-1': '100 % sicher', 'P-2': 'a_b c', 'P-3': 'C:\\temp', 'P-4': 'axb 100 sicher', 'P-5': '%_\\ .*' },
      [
        { texts: ['100 %'], finds: ['P-1'] },
        { texts: ['%%%', '___', '\\\\\\', '_', '\\', "'; DROP TABLE files; --"], finds: [] },
        { texts: ['a_b'], finds: ['P-2'] },
        { texts: [':\\t'], finds: ['P-3'] },
        { texts: ['%_\\', '.*'], finds: ['P-5'] },
        { texts: ['%'], finds: ['P-1', 'P-5'] },
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
        { texts: ['n'], finds: ['AZ-1', 'ZN-2'] },
        { texts: ['NE', 'az', ' f '], finds: ['AZ-1'] },
        { texts: ['eu', 'z-', '-1', '/x'], finds: [] },
        { texts: ['z'], finds: ['1', 'ZN-2'] },
        { texts: ['c1', 'xy', 'b'], finds: ['C1/x'] },
        { texts: ['h', '(h', 'os', 'ha'], finds: ['ZN-2'] },
        { texts: ['7', '1'], finds: ['1'] },
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
        { texts: ['ß', 'ẞ', 'ss'], finds: ['1', '11', '3', 'ss-4', 'ssss5'] },
        { texts: ['ßa'], finds: ['1', '3'] },
        { texts: ['ßß'], finds: ['11', 'ssss5'] },
        { texts: ['ﬁ'], finds: ['9'] },
        { texts: ['ﬃ'], finds: ['10'] },
        { texts: ['ﬃ.', 'mß'], finds: [] },
      ],
    ));

  it('returns 200 for characters beyond the basic plane, and scripts without spaces', () =>
    check({ 'E-1': '😀😁😂 Fest', 'E-2': '東京都庁', 'E-3': '한글 문서' }, [
      { texts: ['😀', '😀😁', '😁😂 f'], finds: ['E-1'] },
      { texts: ['😁', '😁😂 ', '京都'], finds: [] },
      { texts: ['東京', '京都庁'], finds: ['E-2'] },
      { texts: ['한', '문서'], finds: ['E-3'] },
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
