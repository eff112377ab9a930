import { describe, expect, it } from '@jest/globals';
import { buildBmp } from '../../factories/content/image-files.js';
import { buildPdf } from '../../factories/content/pdf-files.js';
import { extraction } from '../../support/shared-extraction.js';

const MAIL = 'From: anna@example.com\r\nTo: bert@example.com\r\nSubject: Hallo\r\n\r\nText';

const ASCII_PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length 39>>stream
BT /F 12 Tf 10 100 Td (Pdfwort) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R/Size 6>>
startxref
0
%%EOF
`;

describe('The media type', () => {
  const typeOf = async (
    bytes: Buffer | string,
    hints: { fileName?: string; claimedType?: string } = {},
  ): Promise<string> => (await extraction.extract(bytes, hints)).mediaType;

  it.each([
    ['a PDF', buildPdf([['x']]), 'text/plain', 'application/pdf'],
    ['an HTML page', '<!DOCTYPE html><title>x</title>', 'text/plain', 'text/html'],
    ['an HTML page after a comment', ' <!-- x -->\n<HTML><p>x', 'application/pdf', 'text/html'],
    ['an HTML page claimed to be an image', '<html><script>alert(1)</script>', 'image/png', 'text/html'],
    ['XHTML', '<?xml version="1.0"?><html xmlns="…"></html>', 'application/xml', 'application/xhtml+xml'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/png', 'image/svg+xml'],
    ['XML', '<?xml version="1.0"?><akte/>', 'text/plain', 'application/xml'],
    ['XML without a declaration', '<rechnung xmlns="urn:x"><a/></rechnung>', 'text/plain', 'application/xml'],
    ['JSON', ' {"a": [1, 2]}', 'text/plain', 'application/json'],
    ['a message', MAIL, 'text/plain', 'message/rfc822'],
    ['a message from an mbox', `From anna Sat Nov 21\n${MAIL}`, 'text/plain', 'message/rfc822'],
  ])(
    'of %s is detected from the bytes, whatever the client claims',
    async (_, bytes, claimedType, mediaType) => {
      expect(await typeOf(bytes, { claimedType })).toBe(mediaType);
    },
  );

  it.each([
    ['a table', 'Name;Ort\nAnna;Ulm\n', { claimedType: 'text/csv' }, 'text/csv'],
    [
      'a table',
      'Name;Ort\nAnna;Ulm\n',
      { fileName: 'x.CSV', claimedType: 'application/vnd.ms-excel' },
      'text/csv',
    ],
    ['Markdown', '# Titel', { fileName: 'README.md' }, 'text/markdown'],
    ['an HTML fragment', 'Hallo <b>Welt</b>', { claimedType: 'text/html; charset=utf-8' }, 'text/html'],
    ['lines with colons', 'Subject: Hallo\n\nText', { fileName: 'x.eml' }, 'message/rfc822'],
    ['lines with colons', 'Subject: Hallo\nBetreff: Hallo\n\nText', {}, 'text/plain'],
    ['text', 'Hallo Welt', { claimedType: 'text/plain' }, 'text/plain'],
    ['text', 'Hallo Welt', { claimedType: 'application/octet-stream' }, 'text/plain'],
    [
      'text claimed to be a PDF',
      'Hallo Welt',
      { fileName: 'x.pdf', claimedType: 'application/pdf' },
      'text/plain',
    ],
    ['text claimed to be HTML', 'Hallo Welt', { claimedType: 'text/html' }, 'text/plain'],
    ['braces that are not JSON', '{Hallo}', { claimedType: 'application/json' }, 'text/plain'],
    ['an empty file', '', { claimedType: 'image/png' }, 'text/plain'],
    [
      'unknown bytes',
      Buffer.from([1, 2, 3, 0, 4]),
      { claimedType: 'application/x-cad' },
      'application/x-cad',
    ],
    ['unknown bytes', Buffer.from([1, 2, 3, 0, 4]), {}, 'application/octet-stream'],
    ['unknown bytes', Buffer.from([1, 2, 3, 0, 4]), { claimedType: 'nonsense' }, 'application/octet-stream'],
  ])(
    'of %s %j depends on the hints %j only if the bytes do not show it',
    async (_, bytes, hints, mediaType) => {
      expect(await typeOf(bytes, hints)).toBe(mediaType);
    },
  );

  it.each([
    'application/pdf',
    'image/png',
    'image/svg+xml',
    'text/html',
    'application/msword',
    'application/json',
  ])('of other binary data is not %s when the client claims it', async (claimedType) => {
    expect(await typeOf(Buffer.from([1, 2, 3, 0, 4]), { claimedType })).toBe('application/octet-stream');
  });

  it('of a text that begins like a signature is text/plain', async () => {
    expect(await typeOf('BM Wagner, Straße 1')).toBe('text/plain');
    expect(await typeOf('solid work')).toBe('text/plain');
    expect(await typeOf(buildBmp(2, 2))).toBe('image/bmp');
  });

  const HTTP = `HTTP/1.1 200 OK\r\nContent-Type: x/y\r\nX-Long: ${'v'.repeat(2000)}\r\n\r\n`;
  it.each(['\r\n\r\n \n', '\ufeff', '\x1b%-12345X@PJL JOB\r\n@PJL ENTER LANGUAGE=PDF\r\n', HTTP])(
    'of a PDF, RTF or message in ASCII after %j is the same as without, and so is the text',
    async (before) => {
      for (const [bytes, mediaType, text] of [
        [ASCII_PDF, 'application/pdf', 'Pdfwort'],
        ['{\\rtf1\\ansi Rtfwort\\par}', 'application/rtf', 'Rtfwort'],
        [MAIL, 'message/rfc822', 'Hallo\nanna@example.com\nbert@example.com\n\nText'],
      ] as const)
        expect(await extraction.extract(`${before}${bytes}`)).toMatchObject({
          mediaType,
          text,
          failure: null,
        });
    },
  );

  it('of a text or message that contains a PDF or RTF is that of the text', async () => {
    expect(await typeOf(`Der Anfang %PDF-1.4 und {\\rtf1 stehen hier.\n`)).toBe('text/plain');
    expect(await typeOf(`${MAIL}\n\n${ASCII_PDF}`)).toBe('message/rfc822');
  });

  it('of a PDF after other bytes is application/pdf', async () => {
    const bytes = Buffer.concat([Buffer.from([0, 1, 2, 10]), buildPdf([['x']])]);
    expect(await typeOf(bytes)).toBe('application/pdf');
  });
});
