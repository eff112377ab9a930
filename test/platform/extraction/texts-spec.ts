import { describe, expect, it } from '@jest/globals';
import iconv from 'iconv-lite';
import { SHARED_TEXT_LIMIT, extraction } from '../../support/shared-extraction.js';

const GERMAN = 'Die Größe der Flächen wird in Anlage 3 aufgeführt; Übergabe am 3. März, Gebühr 12 Euro.';
/** As bytes, because Node cannot encode Shift_JIS. */
const SHIFT_JIS = Buffer.from(
  '93fa967b8cea82cc837483408343838b82c582b781428f9197de82e091e590d882c882e082cc82c582b7814293fa967b8cea82cc95b68fcd82f093c782dd82dc82b781428c5f96f18f9182cc8eca82b582f09359957482b582dc82b78142',
  'hex',
);

/** Encodes one byte per character: Latin-1 with the differences in `table`. */
function bytes(text: string, table: Readonly<Record<string, number>> = {}): Buffer {
  return Buffer.from([...text].map((letter) => table[letter] ?? letter.charCodeAt(0)));
}

/** Encodes in KOI8-R and similar encodings: `alphabet` in the order of its bytes, from `first`. */
function byAlphabet(text: string, alphabet: string, first: number): Buffer {
  return Buffer.from(
    [...text].map((letter) => {
      const at = alphabet.indexOf(letter);
      return at < 0 ? letter.charCodeAt(0) : first + at;
    }),
  );
}

const KOI8 = 'юабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ';
const CYRILLIC = 'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя';
const RUSSIAN =
  'Документ был передан в архив и зарегистрирован под новым номером. Просим подтвердить получение.';
const POLISH = { ą: 0xb1, ć: 0xe6, ę: 0xea, ł: 0xb3, ń: 0xf1, ó: 0xf3, ś: 0xb6, ź: 0xbc, ż: 0xbf };
const CZECH =
  'Žádost o stavební povolení byla doručena úřadu; nejvyšší přípustná výška budovy je dvanáct metrů a přístup zajišťuje obec.';
const UMOWA =
  'Zażółć gęślą jaźń. Umowa została podpisana przez obie strony, należy ją złożyć w urzędzie i zapłacić opłatę skarbową; później można prosić o zaświadczenie.';

describe('Text', () => {
  const textOf = async (content: Buffer | string): Promise<string | null> => {
    const { text, failure } = await extraction.extract(content, { claimedType: 'text/plain' });
    expect(failure).toBeNull();
    return text;
  };

  it.each([
    ['UTF-8', Buffer.from(GERMAN), GERMAN],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${GERMAN}`), GERMAN],
    ['UTF-16LE with a byte order mark', Buffer.from(`\ufeff${GERMAN}`, 'utf16le'), GERMAN],
    ['UTF-16BE with a byte order mark', Buffer.from(`\ufeff${GERMAN}`, 'utf16le').swap16(), GERMAN],
    ['UTF-16LE without one', Buffer.from(GERMAN, 'utf16le'), GERMAN],
    ['UTF-16BE without one', Buffer.from(GERMAN, 'utf16le').swap16(), GERMAN],
    ['windows-1252', bytes(`„${GERMAN}“ 5 €`, { '„': 0x84, '“': 0x93, '€': 0x80 }), `„${GERMAN}“ 5 €`],
    ['windows-1252, of one word', bytes('Größe'), 'Größe'],
    ['ISO-8859-15', bytes(`${GERMAN} 5 €`, { '€': 0xa4 }), `${GERMAN} 5 €`],
    ['ISO-8859-2', bytes(UMOWA, POLISH), UMOWA],
    ['KOI8-R', byAlphabet(RUSSIAN, KOI8, 0xc0), RUSSIAN],
    ['windows-1251', byAlphabet(RUSSIAN, CYRILLIC, 0xc0), RUSSIAN],
    ['the code page 850 of DOS', iconv.encode(GERMAN, 'cp850'), GERMAN],
    [
      'the code page 850 with a frame',
      iconv.encode(`╔══╗\n║${GERMAN}║\n╚══╝`, 'cp850'),
      `╔══╗\n║${GERMAN}║\n╚══╝`,
    ],
    [
      'the code page 850, with a single umlaut',
      iconv.encode('Herr Müller hat angerufen.', 'cp850'),
      'Herr Müller hat angerufen.',
    ],
    ['the code page 850, with an umlaut at the start', iconv.encode('über uns', 'cp850'), 'über uns'],
    ['the code page 850, in capitals', iconv.encode('Öffnung', 'cp850'), 'Öffnung'],
    ['Mac OS Roman, with a single umlaut', iconv.encode('Herr Müller', 'macintosh'), 'Herr Müller'],
    ['windows-1252, with a single umlaut', iconv.encode('Herr Müller', 'windows-1252'), 'Herr Müller'],
    [
      'UTF-32LE with a byte order mark',
      iconv.encode(`\ufeff${GERMAN}\r\nEnde`, 'utf-32le'),
      `${GERMAN}\nEnde`,
    ],
    [
      'UTF-32BE with a byte order mark',
      iconv.encode(`\ufeff${GERMAN}\r\nEnde`, 'utf-32be'),
      `${GERMAN}\nEnde`,
    ],
    ['UTF-32LE without one', iconv.encode(`${GERMAN}\r\nEnde`, 'utf-32le'), `${GERMAN}\nEnde`],
    [
      'UTF-8 with a zero between words',
      'Anfang der Notiz\0Ende der Notiz',
      'Anfang der Notiz Ende der Notiz',
    ],
    ['Mac OS Roman', iconv.encode(`„${GERMAN}“`, 'macintosh'), `„${GERMAN}“`],
    ['windows-1250', iconv.encode(CZECH, 'windows-1250'), CZECH],
    [
      'windows-1252, with quotes at words',
      iconv.encode('Das „alte” Haus’ Größe', 'windows-1252'),
      'Das „alte” Haus’ Größe',
    ],
  ])('is read in %s', async (_, content, text) => {
    expect(await textOf(content)).toBe(text);
  });

  it('is read in Shift_JIS', async () => {
    expect(await textOf(SHIFT_JIS)).toBe(
      '日本語のファイルです。書類も大切なものです。日本語の文章を読みます。契約書の写しを添付します。',
    );
  });

  it('is read in ISO-2022-JP', async () => {
    expect(await textOf(Buffer.from('1b2442467c4b5c386c1b2842', 'hex'))).toBe('日本語');
  });

  it.each([
    ['windows-1252', bytes(GERMAN), GERMAN],
    ['windows-1251', byAlphabet(RUSSIAN, CYRILLIC, 0xc0), RUSSIAN],
    ['UTF-8', Buffer.from(GERMAN), GERMAN],
  ])('is read in %s when all letters before are in ASCII', async (_, content, text) => {
    for (const length of [100_000, 320_000]) {
      const start = 'a'.repeat(length);
      const found = await textOf(Buffer.concat([Buffer.from(`${start} `), content]));
      expect(found?.slice(length)).toBe(` ${text}`);
    }
  });

  it('is read in UTF-8 when a chunk ends inside a character', async () => {
    const text = `${'a'.repeat(256 * 1024 - 1)}ü`;
    expect(await textOf(text)).toBe(text);
  });

  it('is normalised for PostgreSQL', async () => {
    const rest = 'x'.repeat(200);
    expect(await textOf(`${rest}a\u0001b\r\nc\rd\u0085e\u00ad\u200bf\u2028g\tu\u0308\n\n\n\nh  i \n`)).toBe(
      `${rest}ab\nc\nd\nef\ng ü\n\nh i`,
    );
    // A lone surrogate in UTF-16.
    const { text } = await extraction.extract(Buffer.from('feff006100620063d83d00640065', 'hex'));
    expect(text).toBe('abc\ufffdde');
  });

  it('is null when it contains only white space', async () => {
    expect(await textOf(' \r\n\t ')).toBeNull();
    expect(await textOf('')).toBeNull();
  });

  it('is truncated at the limit without a failure and without splitting a character', async () => {
    const text = await textOf(`a${'😀'.repeat(300_000)}`);
    expect(text?.length).toBe(SHARED_TEXT_LIMIT - 1);
    expect(text?.isWellFormed()).toBe(true);
  });

  it('keeps at most 32 combining marks on a letter', async () => {
    expect(await textOf(`a${'\u0301\u0316'.repeat(100_000)}b`)).toHaveLength(33);
  });

  describe('of HTML', () => {
    it('starts with the title and contains no scripts or styles', async () => {
      const page =
        '<!doctype html><html><head><title>Bescheid</title><style>p{}</style><script>if (a < b) {}</script></head>' +
        '<body><h1>Über&shy;schrift</h1><p>Ein <b>fetter</b>\nSatz &amp; mehr.</p><ul><li>eins<li>zwei</ul>' +
        '<table><tr><td>a</td><td>b</td></tr></table><img src="x" alt="Lageplan"><noscript>nein</noscript></body></html>';
      expect(await extraction.extract(page)).toMatchObject({
        mediaType: 'text/html',
        text: 'Bescheid\n\nÜberschrift\n\nEin fetter Satz & mehr.\n\neins\n\nzwei\n\na b\n\nLageplan',
        failure: null,
      });
    });

    it('is read in the declared encoding', async () => {
      const page = byAlphabet(`<html><meta charset="windows-1251"><p>Акт`, CYRILLIC, 0xc0);
      expect((await extraction.extract(page)).text).toBe('Акт');
      const other = bytes(
        '<html><meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"><p>Größe',
      );
      expect((await extraction.extract(other)).text).toBe('Größe');
    });
  });

  it('of SVG is what is drawn, and the title', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg"><title>Lageplan</title><metadata>nein</metadata><style>nein</style>' +
      '<text>Flurstück <tspan>4/2</tspan></text><script>nein()</script></svg>';
    expect(await extraction.extract(svg)).toMatchObject({
      mediaType: 'image/svg+xml',
      text: 'Lageplan\n\nFlurstück 4/2',
    });
  });

  it.each(['utf-8', 'windows-1252'])('of a calendar in %s has no folds and escapes', async (encoding) => {
    const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'SUMMARY:Anhörung zur Stra', ' ßensperrung\\, Saal 3'];
    const bytes = iconv.encode(
      [...lines, 'DESCRIPTION:Kraft', '\tfahrzeug\\nEnde', 'END:VCALENDAR', ''].join('\r\n'),
      encoding,
    );
    const { mediaType, text } = await extraction.extract(bytes);
    expect(mediaType).toBe('text/calendar');
    expect(text).toContain(
      'SUMMARY: Anhörung zur Straßensperrung, Saal 3\nDESCRIPTION: Kraftfahrzeug\nEnde\n',
    );
  });

  it('of a calendar that is folded inside a character is whole', async () => {
    const [start, end] = ['BEGIN:VCALENDAR\r\nSUMMARY:Stra', 'ensperrung\r\nEND:VCALENDAR\r\n'];
    const bytes = Buffer.concat([
      Buffer.from(start),
      Buffer.from([0xc3]),
      Buffer.from('\r\n '),
      Buffer.from([0x9f]),
      Buffer.from(end),
    ]);
    expect((await extraction.extract(bytes)).text).toContain('Straßensperrung');
  });

  it('of a vCard 2.1 is decoded, without pictures', async () => {
    const card = [
      'BEGIN:VCARD',
      'VERSION:2.1',
      'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=B6rg=20=',
      'M=C3=BCller',
      'TITLE;QUOTED-PRINTABLE;CHARSET=ISO-8859-1:Gesch=E4ftsf=FChrer',
      'NOTE:zwei',
      ' Worte',
      'PHOTO;ENCODING=BASE64:QUJD',
      ' REVG==',
      'TEL;TYPE="work,voice":030 123',
      'END:VCARD',
    ].join('\r\n');
    expect((await extraction.extract(card)).text).toBe(
      'BEGIN: VCARD\nVERSION: 2.1\nFN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE: Jörg Müller\n' +
        'TITLE;QUOTED-PRINTABLE;CHARSET=ISO-8859-1: Geschäftsführer\nNOTE: zwei Worte\nPHOTO\n' +
        'TEL;TYPE="work,voice": 030 123\nEND: VCARD',
    );
  });

  it('of XML is its character data, read in the declared encoding', async () => {
    const xml = bytes(
      '<?xml version="1.0" encoding="ISO-8859-1"?><a><b>Größe</b><c d="x">&lt;5 &#8364;</c></a>',
    );
    expect(await extraction.extract(xml)).toMatchObject({
      mediaType: 'application/xml',
      text: 'Größe\n<5 €',
      failure: null,
    });
  });
});
