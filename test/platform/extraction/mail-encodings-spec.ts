import { describe, expect, it } from '@jest/globals';
import iconv from 'iconv-lite';
import { buildOutlookMessage } from '../../factories/content/outlook-message.js';
import { extraction } from '../../support/shared-extraction.js';

const TEXT = 'Šimić zahlt 12 €, „Müller–Meier“ … ‚Straße‘ Žižek';
const RUSSIAN = 'Документ был передан в архив и зарегистрирован под новым номером';

/** A message whose header and body are in any encoding. */
function message(header: readonly (string | Buffer)[], body: string | Buffer): Buffer {
  const fields = ['From: a@example.com', 'MIME-Version: 1.0', ...header].flatMap((field) => [
    Buffer.from(field),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...fields, Buffer.from('\r\n'), Buffer.from(body)]);
}

const field = (name: string, value: string, encoding: string) =>
  Buffer.concat([Buffer.from(`${name}: `), iconv.encode(value, encoding)]);

function quoted(bytes: Buffer): string {
  return [...bytes].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

describe('The text of a message', () => {
  const textOf = async (content: Buffer): Promise<string> => {
    const { failure, text } = await extraction.extract(content, { claimedType: 'message/rfc822' });
    expect(failure).toBeNull();
    return text ?? '';
  };

  it.each(['windows-1252', 'iso-8859-1', 'utf-8', 'windows-1250', 'us-ascii'])(
    'is read in %s as declared, or as the bytes show',
    async (charset) => {
      const bytes = iconv.encode(TEXT, /^(?:iso|us)/.test(charset) ? 'windows-1252' : charset);
      const text =
        charset === 'windows-1250'
          ? TEXT
          : iconv.decode(bytes, charset === 'utf-8' ? charset : 'windows-1252');
      const type = `Content-Type: text/plain; charset=${charset}`;
      const found = await textOf(
        message(
          [`Subject: =?${charset}?Q?${quoted(bytes)}?=`, type, 'Content-Transfer-Encoding: quoted-printable'],
          quoted(bytes),
        ),
      );
      expect(found).toBe(`${text}\na@example.com\n\n${text}`);
      const eightBit = await textOf(message([type], bytes));
      expect(eightBit).toBe(`a@example.com\n\n${text}`);
    },
  );

  it.each([
    ['windows-1252', 'Gebühr für die Straße „Am Wall“', ''],
    ['utf-8', 'Gebühr für die Straße „Am Wall“', ''],
    ['windows-1252', 'Gebühr für die Straße „Am Wall“', '; charset=utf-8'],
    ['windows-1252', 'Gebühr für die Straße „Am Wall“', '; charset=us-ascii'],
    ['windows-1252', 'Gebühr für die Straße „Am Wall“', '; charset=unknown-8bit'],
    ['utf-8', 'Gebühr für die Straße „Am Wall“', '; charset=iso-8859-1'],
    ['koi8-r', RUSSIAN, '; charset=koi8-r'],
    ['koi8-r', RUSSIAN, ''],
    ['cp850', 'Gebühr für die Straße', '; charset=cp850'],
    ['gbk', '请于三月三日之前提交申请文件', '; charset=gb2312'],
  ])('is read in %s without encoded words: %s, declared %j', async (encoding, text, parameter) => {
    const subject = field('Subject', text, encoding);
    const plain = message([subject, `Content-Type: text/plain${parameter}`], iconv.encode(text, encoding));
    expect(await textOf(plain)).toBe(`${text}\na@example.com\n\n${text}`);
    const html = message(
      [subject, `Content-Type: text/html${parameter}`],
      iconv.encode(`<html><body><p>${text}</p></body></html>`, encoding),
    );
    expect(await textOf(html)).toBe(`${text}\na@example.com\n\n${text}`);
  });

  it('joins adjacent encoded words that split a character, also in names', async () => {
    const bytes = Buffer.from('Jörg Müller, Amt');
    const words = [bytes.subarray(0, 2), bytes.subarray(2)]
      .map((part) => `=?UTF-8*de?B?${part.toString('base64')}?=`)
      .join('\r\n ');
    const found = await textOf(
      message([`Subject: Re: ${words} =?iso-8859-1?q?_f=FCr?= uns`, `To: "${words}" <b@example.com>`], 'x'),
    );
    expect(found).toBe('Re: Jörg Müller, Amt für uns\na@example.com\nJörg Müller, Amt b@example.com\n\nx');
  });

  it('reads short Chinese words that could be UTF-8', async () => {
    const found = await textOf(
      message([`Subject: =?gbk?B?${iconv.encode('目录', 'gbk').toString('base64')}?=`], 'x'),
    );
    expect(found).toMatch(/^目录\n/);
  });

  it('joins flowed lines', async () => {
    const type = (more: string) => [`Content-Type: text/plain; format=flowed${more}`];
    expect(await textOf(message(type(''), 'Ein Satz \r\nüber Zeilen\r\n-- \r\nName'))).toMatch(
      /Ein Satz über Zeilen\n--\nName$/,
    );
    expect(await textOf(message(type('; delsp=yes'), 'Donau \r\ndampfer'))).toMatch(/Donaudampfer$/);
  });

  it('keeps the declared encoding of attached texts', async () => {
    const part = (type: string, body: Buffer) =>
      Buffer.concat([
        Buffer.from(`--b\r\nContent-Type: ${type}\r\nContent-Disposition: attachment\r\n\r\n`),
        body,
        Buffer.from('\r\n'),
      ]);
    const found = await textOf(
      message(
        ['Content-Type: multipart/mixed; boundary=b'],
        Buffer.concat([
          part('text/csv; charset="koi8-r"', iconv.encode('Акт;5', 'koi8-r')),
          part(
            'message/rfc822',
            message([field('Subject', 'Gebühr', 'latin1')], iconv.encode('12 €', 'windows-1252')),
          ),
          Buffer.from('--b--\r\n'),
        ]),
      ),
    );
    expect(found).toMatch(/Акт;5\n\nGebühr\na@example\.com\n\n12 €$/);
  });

  it.each([
    ['of its code page', 1250, 'windows-1250', 'Žádost Kč „Příloha“'],
    ['of a code page in East Asia', 932, 'cp932', '契約書の写し'],
    ['that they show if the code page is wrong', 20127, 'windows-1252', 'Gebühr „Straße“ 5 €'],
  ])(
    'is read from an Outlook message without Unicode in the encoding %s',
    async (_, number, encoding, text) => {
      const codePage = { number, encode: (value: string) => iconv.encode(value, encoding) };
      const content = Buffer.from('Anhang');
      const inner = buildOutlookMessage({
        subject: text,
        body: text,
        codePage,
        attachments: [{ name: `${text}.txt`, content }],
      });
      const found = await textOf(
        buildOutlookMessage({
          subject: text,
          body: text,
          codePage,
          attachments: [{ name: 'x.msg', content: inner }],
        }),
      );
      expect(found.split(text)).toHaveLength(6);
    },
  );
});
