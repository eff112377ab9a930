import { describe, expect, it } from '@jest/globals';
import { buildMessage } from '../../factories/content/mail-messages.js';
import { buildTnef } from '../../factories/content/tnef-file.js';
import { extraction } from '../../support/shared-extraction.js';

const LINE = 'From a@example.com Thu Dec 31 10:00:00 2026\n';
const TNEF = 'application/vnd.ms-tnef';

describe('Several messages in a file', () => {
  describe('(mbox)', () => {
    const message = (subject: string, text: string) =>
      buildMessage({
        subject,
        parts: [
          { type: 'text/plain; charset=utf-8', content: text },
          { type: 'text/plain', name: `${subject}.txt`, content: `Anlage zu ${subject}` },
        ],
      }).toString('latin1');
    const mailbox = (...messages: readonly string[]) =>
      Buffer.from(messages.map((each) => `${LINE}${each}\n`).join(''), 'latin1');
    const textOf = (subject: string, text: string) =>
      `${subject}\nAnna anna@example.com\nbert@example.com\n\n${text}\n\n${subject}.txt\n\nAnlage zu ${subject}`;

    it('are read each with its header, parts and attachments', async () => {
      expect(
        await extraction.extract(mailbox(message('Eins', 'Grüße'), message('Zwei', 'Köln'))),
      ).toMatchObject({
        mediaType: 'application/mbox',
        text: `${textOf('Eins', 'Grüße')}\n\n${textOf('Zwei', 'Köln')}`,
        failure: null,
      });
    });

    it('are found after a first one that is large, and where a chunk ends', async () => {
      for (const size of [300_000, 256 * 1024 - LINE.length - 20]) {
        const first = `From: a@example.com\nSubject: Eins\n\n${'x'.repeat(size - 40)}\n`;
        const { text } = await extraction.extract(
          mailbox(first, message('Zwei', 'Köln'), message('Drei', 'Ulm')),
        );
        expect(text?.slice(-300)).toMatch(
          new RegExp(`x\\n\\n${textOf('Zwei', 'Köln')}\\n\\n${textOf('Drei', 'Ulm')}$`),
        );
      }
    });

    it('are one message if only one line separates', async () => {
      expect(await extraction.extract(mailbox(message('Eins', 'Am\n\nFrom hier an\n')))).toMatchObject({
        mediaType: 'message/rfc822',
        text: textOf('Eins', 'Am\n\nFrom hier an'),
      });
      const encrypted =
        'From: a@example.com\nSubject: x\nContent-Type: multipart/encrypted; boundary=b\n\n--b--';
      expect((await extraction.extract(mailbox(encrypted))).failure).toBe('Encrypted');
    });
  });

  describe('(winmail.dat)', () => {
    const FILE = buildTnef({
      subject: 'Prüfung „Straße“',
      body: 'Gebühr 12 €',
      attachments: [
        { title: 'Übersicht.txt', content: Buffer.from('Übersichtstext') },
        { title: 'LANG~1.TXT', longName: 'Langer Name Žižek.txt', content: Buffer.from('Langtext') },
        { content: { subject: 'Weitergeleitet', body: 'Innerer Text' } },
        { title: 'leer.bin', content: Buffer.alloc(0) },
      ],
    });
    const TEXT =
      'Prüfung „Straße“\n\nGebühr 12 €\n\nÜbersicht.txt\nLanger Name Žižek.txt\nleer.bin\n\nÜbersichtstext\n\nLangtext\n\n' +
      'Weitergeleitet\n\nInnerer Text';

    it('are read with the names and texts of their attachments', async () => {
      expect(await extraction.extract(FILE)).toMatchObject({ mediaType: TNEF, text: TEXT, failure: null });
    });

    it('are read in a message', async () => {
      const mail = buildMessage({
        subject: 'Außen',
        parts: [{ type: 'application/ms-tnef', name: 'winmail.dat', content: FILE }],
      });
      expect((await extraction.extract(mail)).text).toMatch(new RegExp(`\\n\\nwinmail\\.dat\\n\\n${TEXT}$`));
    });

    it('are read in part or Corrupted when the file is damaged', async () => {
      for (let length = 8; length < FILE.length; length += 37)
        expect([null, 'Corrupted']).toContain((await extraction.extract(FILE.subarray(0, length))).failure);
      for (let at = 8; at < FILE.length; at += 97) {
        const bytes = Buffer.from(FILE);
        bytes.fill(0xff, at, at + 4);
        expect([null, 'Corrupted']).toContain((await extraction.extract(bytes)).failure);
      }
    });
  });
});
