import { describe, expect, it } from '@jest/globals';
import iconv from 'iconv-lite';
import { extraction } from '../../support/shared-extraction.js';

const NAME = 'Gebührenbescheid Straße.pdf';
const UTF8 = encodeURIComponent(NAME);
const LATIN1 = [...iconv.encode(NAME, 'latin1')]
  .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
  .join('');
const word = (text: string, charset = 'utf-8') =>
  `=?${charset}?B?${iconv.encode(text, charset).toString('base64')}?=`;
const disposition = (parameters: string) => `Content-Disposition: attachment;${parameters}`;

describe('The name of an attachment', () => {
  const nameOf = async (header: string | Buffer): Promise<string | undefined> => {
    const bytes = Buffer.concat([
      Buffer.from(
        'From: a@example.com\r\nSubject: x\r\nContent-Type: multipart/mixed; boundary="b b"\r\n\r\n--b b\r\n',
      ),
      Buffer.from(header),
      Buffer.from('\r\n\r\nAAAA\r\n--b b--\r\n'),
    ]);
    const { text } = await extraction.extract(bytes);
    return text?.split('\n')[3];
  };

  it.each([
    ['in UTF-8 (RFC 2231)', disposition(` filename*=UTF-8''${UTF8}`)],
    ['in ISO 8859-1 (RFC 2231)', disposition(` filename*=iso-8859-1'de'${LATIN1}`)],
    ['in pieces', disposition(`\r\n filename*0="Gebührenbesch";\r\n filename*1="eid Straße.pdf"`)],
    [
      'in encoded pieces in any order',
      disposition(
        ` filename*2*=${UTF8.slice(17)}; filename*1*=${UTF8.slice(9, 17)}; filename*0*=utf-8''${UTF8.slice(0, 9)}`,
      ),
    ],
    [
      'in pieces that split a character',
      disposition(
        ` name=x; filename*0*=utf-8''Geb%C3; filename*1*=%BChrenbescheid%20Stra; filename*2*=%C3%9Fe.pdf`,
      ),
    ],
    [
      'with a simple name for older programs',
      disposition(` filename="Gebuehr.pdf"; filename*=UTF-8''${UTF8}`),
    ],
    ['with a simple name after it', disposition(` filename*=UTF-8''${UTF8}; filename="Gebuehr.pdf"`)],
    ['as encoded word in quotes', disposition(` filename="${word(NAME)}"`)],
    ['as encoded word without quotes', disposition(` filename=${word(NAME)}; size=3`)],
    [
      'as several encoded words',
      disposition(` filename="${word('Gebührenbesc')}\r\n ${word('heid Straße.pdf')}"`),
    ],
    [
      'as Q-encoded word with a semicolon',
      disposition(` filename==?iso-8859-1?Q?Geb=FChrenbescheid_Stra=DFe.pdf?=;x=1`),
    ],
    [
      'as encoded word in pieces',
      disposition(` filename*0="${word(NAME).slice(0, 20)}"; filename*1="${word(NAME).slice(20)}"`),
    ],
    ['as URL', disposition(` filename="${UTF8}"`)],
    ['with an encoding but no star', disposition(` filename="UTF-8''${UTF8}"`)],
    ['in bytes of UTF-8', disposition(` filename="${NAME}"`)],
    ['in bytes without quotes', disposition(` filename=${NAME}; size=3`)],
    ['in bytes of windows-1252', iconv.encode(disposition(` filename="${NAME}"`), 'windows-1252')],
    [
      'only in Content-Type',
      `Content-Type: application/pdf; name="${word(NAME)}"\r\nContent-Disposition: attachment`,
    ],
    [
      'only in Content-Type, in pieces',
      `Content-Type: application/pdf; name*0*=utf-8''${UTF8.slice(0, 9)}; name*1*=${UTF8.slice(9)}`,
    ],
    [
      'of a text part in the body',
      `Content-Type: text/plain; charset=utf-8\r\nContent-Disposition: inline; filename="${NAME}"`,
    ],
    [
      'in Content-Disposition rather than in Content-Type',
      `Content-Type: application/pdf; name=x.pdf\r\n${disposition(` filename="${NAME}"`)}`,
    ],
    ['of a part with another case', `content-DISPOSITION : ATTACHMENT ;\r\n\tFILENAME = "${NAME}"`],
  ])('is found %s', async (_, header) => {
    expect(await nameOf(header)).toBe(NAME);
  });

  it('keeps quotes, backslashes, semicolons and spaces', async () => {
    expect(await nameOf(disposition(' filename="C:\\Plan; \\"alt\\".pdf"'))).toBe('C:\\Plan; "alt".pdf');
    expect(await nameOf(disposition(' filename="Der "Plan".pdf"; size=3'))).toBe('Der "Plan".pdf');
    expect(await nameOf(disposition(' filename="100% sicher.pdf"'))).toBe('100% sicher.pdf');
  });
});
