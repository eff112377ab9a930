import { describe, expect, it } from '@jest/globals';
import { buildMessage, type MessagePart } from '../../factories/content/mail-messages.js';
import { buildDocx, paragraph } from '../../factories/content/office-files.js';
import { buildEncryptedPdf } from '../../factories/content/encrypted-pdf.js';
import { buildPdf } from '../../factories/content/pdf-files.js';
import { TestExtraction, extractionOf } from '../../support/extraction.js';
import { extraction } from '../../support/shared-extraction.js';

describe('The text of a message', () => {
  const textOf = async (parts: readonly MessagePart[]): Promise<string | null> => {
    const { mediaType, failure, text } = await extraction.extract(
      buildMessage({ subject: 'Betreff', parts }),
    );
    expect({ mediaType, failure }).toEqual({ mediaType: 'message/rfc822', failure: null });
    return text;
  };

  it('contains subject, addresses, date and body', async () => {
    const bytes = Buffer.from(
      [
        'Received: from mx.example.com by mail.example.com; Sat, 21 Nov 2026 10:00:00 +0000',
        'From: =?utf-8?q?M=C3=BCller?= <mueller@example.com>',
        'To: "Bau, Amt" <bau@example.com>, team: a@example.com, b@example.com;',
        'Cc: c@example.com',
        'Subject: =?iso-8859-1?Q?Gr=FC=DFe_aus?= =?utf-8?B?IEvDtmxu?=',
        'Date: Sat, 21 Nov 2026 11:00:00 +0100',
        'Content-Type: text/plain; charset=iso-8859-15',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        'Das kostet 5 =A4, sagt =',
        'der Gutachter.',
      ].join('\r\n'),
    );
    expect(await extraction.extract(bytes)).toEqual(
      extractionOf({
        mediaType: 'message/rfc822',
        text: 'Grüße aus Köln\nMüller mueller@example.com\nBau, Amt bau@example.com, team a@example.com, b@example.com\nc@example.com\n2026-11-21T10:00:00.000Z\n\nDas kostet 5 €, sagt der Gutachter.',
      }),
    );
  });

  it('contains the HTML body if there is no plain text', async () => {
    const html = {
      type: 'text/html; charset=utf-8',
      content: '<p>Grüße</p><script>nein()</script><p>Bis bald</p>',
    };
    expect(await textOf([html])).toMatch(/Grüße\n\nBis bald$/);
    const text = await textOf([{ type: 'text/plain; charset=utf-8', content: 'Nur Text' }, html]);
    expect(text).toMatch(/Nur Text/);
  });

  it('contains the text of attachments in any supported format', async () => {
    const text = await textOf([
      { type: 'text/plain', content: 'Siehe Anlagen' },
      {
        type: 'application/octet-stream',
        name: 'Antrag.docx',
        content: buildDocx({ body: paragraph('Antragstext') }),
      },
      { type: 'application/pdf', name: 'Plan.pdf', content: buildPdf([['Lageplan']]) },
      { type: 'text/csv', name: 'Liste.csv', content: Buffer.from('Größe;5', 'latin1') },
    ]);
    expect(text).toMatch(
      /Siehe Anlagen\n\nAntrag\.docx\nPlan\.pdf\nListe\.csv\n\nAntragstext\n\nLageplan\n\nGröße;5$/,
    );
  });

  it('contains everything but encrypted or damaged attachments', async () => {
    const text = await textOf([
      { type: 'text/plain', content: 'Siehe Anlagen' },
      { type: 'application/pdf', name: 'geheim.pdf', content: buildEncryptedPdf('geheim', ['x']) },
      { type: 'application/pdf', name: 'kaputt.pdf', content: '%PDF-1.7 kaputt' },
      { type: 'text/plain', name: 'gut.txt', content: 'Ende gut' },
    ]);
    expect(text).toMatch(/Siehe Anlagen\n\ngeheim\.pdf\nkaputt\.pdf\ngut\.txt\n\nEnde gut$/);
  });

  it('contains the text of attached messages', async () => {
    const inner = buildMessage({
      subject: 'Innen',
      parts: [{ type: 'text/plain', content: 'Innerer Text' }],
    });
    const text = await textOf([{ type: 'message/rfc822', content: inner, encoding: '8bit' }]);
    expect(text).toMatch(/Innen\n[^]*Innerer Text$/);
  });

  it('contains nested messages to a depth of five', async () => {
    let message = buildMessage({ subject: 'Tiefe 50', parts: [{ type: 'text/plain', content: 'Grund' }] });
    for (let depth = 49; depth >= 0; depth -= 1) {
      message = buildMessage({
        subject: `Tiefe ${depth}`,
        parts: [{ type: 'message/rfc822', content: message, encoding: '8bit' }],
      });
    }
    const { text, failure } = await extraction.extract(message);
    expect(failure).toBeNull();
    expect(text?.match(/Tiefe \d+/g)).toEqual(Array.from({ length: 6 }, (_, depth) => `Tiefe ${depth}`));
  });

  it('is missing (Corrupted) if parts are nested too deeply', async () => {
    const open = Array.from(
      { length: 60 },
      (_, depth) => `--b${depth}\r\nContent-Type: multipart/mixed; boundary=b${depth + 1}\r\n\r\n`,
    );
    const bytes = `From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b0\r\n\r\n${open.join('')}`;
    expect(await extraction.extract(bytes)).toMatchObject({
      mediaType: 'message/rfc822',
      failure: 'Corrupted',
    });
  });

  it('ends where the limit of memory is reached', async () => {
    const small = await TestExtraction.start({ limits: { memory: 320 * 1024 * 1024 } });
    try {
      const bytes = buildMessage({
        subject: 'Groß',
        parts: [
          { type: 'text/plain; charset=utf-8', content: 'Grüße' },
          { type: 'application/octet-stream', name: 'a.bin', content: Buffer.alloc(40 * 1024 * 1024, 1) },
          { type: 'text/plain', name: 'ende.txt', content: 'Ende' },
        ],
      });
      const { text, failure } = await small.extract(bytes);
      expect(failure).toBeNull();
      expect(text).toMatch(/^Groß\n[^]*Grüße\n\na\.bin$/);
    } finally {
      await small.stop();
    }
  });

  it('contains the texts of at most 100 attachments, and the names of all', async () => {
    const parts = Array.from({ length: 120 }, (_, index) => ({
      type: 'text/plain',
      name: `a${index}.txt`,
      content: `Anlage ${index}`,
    }));
    const text = await textOf(parts);
    expect(text).toContain('Anlage 99');
    expect(text).not.toContain('Anlage 100');
    expect(text).toContain('a119.txt');
  });
});
