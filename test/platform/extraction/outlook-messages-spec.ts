import { describe, expect, it } from '@jest/globals';
import { buildOutlookMessage } from '../../factories/content/outlook-message.js';
import { buildPdf } from '../../factories/content/pdf-files.js';
import { extractionOf } from '../../support/extraction.js';
import { extraction } from '../../support/shared-extraction.js';

const OUTLOOK = 'application/vnd.ms-outlook';
const HEAD = 'Einladung\nAnna Absender anna@example.com\nBert Empfänger bert@example.com';

describe('The text of an Outlook message', () => {
  it('contains subject, addresses and body', async () => {
    const bytes = buildOutlookMessage({ subject: 'Einladung', body: 'Grüße aus Köln' });
    expect(await extraction.extract(bytes)).toEqual(
      extractionOf({ mediaType: OUTLOOK, text: `${HEAD}\n\nGrüße aus Köln` }),
    );
  });

  it('contains the HTML body if there is no plain text', async () => {
    const html =
      '<html><head><meta charset="utf-8"></head><body><p>Grüße</p><script>nein()</script></body></html>';
    const bytes = buildOutlookMessage({ subject: 'Einladung', html });
    expect((await extraction.extract(bytes)).text).toBe(`${HEAD}\n\nGrüße`);
  });

  it('contains the rich text body if there is no other', async () => {
    const rtf = "{\\rtf1\\ansi\\ansicpg1252 Gr\\'fc\\'dfe\\par aus K\\u246?ln}";
    // [MS-OXRTFCP] 2.1.3.1: the header of a text that is not compressed.
    const header = Buffer.alloc(16);
    header.writeUInt32LE(rtf.length + 12, 0);
    header.writeUInt32LE(rtf.length, 4);
    header.write('MELA', 8);
    const compressedRtf = Buffer.concat([header, Buffer.from(rtf)]);
    const bytes = buildOutlookMessage({ subject: 'Einladung', compressedRtf });
    expect((await extraction.extract(bytes)).text).toBe(`${HEAD}\n\nGrüße\naus Köln`);
  });

  it('contains the names and texts of attachments, also of attached messages', async () => {
    const inner = buildOutlookMessage({ subject: 'Weitergeleitet', body: 'Innerer Text' });
    const bytes = buildOutlookMessage({
      subject: 'Einladung',
      body: 'Anbei',
      attachments: [
        { name: 'Plan.pdf', content: buildPdf([['Grundriss']]) },
        { name: 'Nachricht.msg', content: inner },
        { name: 'defekt.pdf', content: Buffer.from('%PDF-1.7 this is not one') },
      ],
    });
    const { text, failure } = await extraction.extract(bytes);
    expect(failure).toBeNull();
    for (const word of [
      'Anbei',
      'Plan.pdf',
      'Grundriss',
      'Nachricht.msg',
      'Weitergeleitet',
      'Innerer',
      'defekt.pdf',
    ])
      expect(text).toContain(word);
  });

  it.each([600, 1500, 2500])('does not exist when the file ends after %i bytes', async (length) => {
    const bytes = buildOutlookMessage({ subject: 'Einladung', body: 'Text '.repeat(1000) });
    const { failure, text } = await extraction.extract(bytes.subarray(0, length));
    expect([null, 'Corrupted']).toContain(failure);
    if (failure !== null) expect(text).toBeNull();
  });

  it('does not exist, or is a part, when bytes of the file are damaged', async () => {
    const whole = buildOutlookMessage({
      subject: 'Einladung',
      body: 'Text',
      attachments: [{ name: 'a.txt', content: Buffer.from('Anhang') }],
    });
    for (let at = 512; at < whole.length; at += 256) {
      const bytes = Buffer.from(whole);
      bytes.fill(0xff, at, at + 24);
      const { failure } = await extraction.extract(bytes);
      expect([null, 'Corrupted', 'TimeLimitExceeded', 'MemoryLimitExceeded']).toContain(failure);
    }
  });
});
