import { describe, expect, it } from '@jest/globals';
import { buildMessage } from '../../factories/content/mail-messages.js';
import {
  buildEnvelopedFile,
  buildSignedFile,
  buildStreamedSignedFile,
} from '../../factories/content/signed-files.js';
import { extraction } from '../../support/shared-extraction.js';

const XML = '<?xml version="1.0"?><rechnung>Größe</rechnung>';
const SMIME = 'application/pkcs7-mime';

const lines = (bytes: Buffer) => bytes.toString('base64').replace(/.{64}/g, '$&\r\n');

describe('A signed or encrypted file', () => {
  const message = (type: string, bytes: Buffer) =>
    `From: a@example.com\r\nSubject: Bescheid\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines(bytes)}`;

  it.each([
    ['DER', buildSignedFile(XML)],
    ['BER in pieces', buildStreamedSignedFile(XML)],
    ['base64', lines(buildSignedFile(XML))],
    ['PEM', `-----BEGIN PKCS7-----\n${lines(buildSignedFile(XML))}\n-----END PKCS7-----\n`],
    ['two signatures', buildSignedFile(buildSignedFile(XML))],
  ])('contains the signed text, in %s', async (_, bytes) => {
    expect(await extraction.extract(bytes, { fileName: 'rechnung.xml.p7m' })).toMatchObject({
      mediaType: SMIME,
      text: 'Größe',
      failure: null,
    });
  });

  it('has no text if the signature is in a file of its own', async () => {
    expect(await extraction.extract(buildSignedFile(null), { fileName: 'a.p7s' })).toMatchObject({
      mediaType: 'application/pkcs7-signature',
      text: null,
      failure: null,
    });
  });

  it('has the failure Encrypted', async () => {
    for (const bytes of [buildEnvelopedFile(), lines(buildEnvelopedFile())])
      expect(await extraction.extract(bytes)).toMatchObject({
        mediaType: SMIME,
        text: null,
        failure: 'Encrypted',
      });
    expect(
      (await extraction.extract('-----BEGIN PGP MESSAGE-----\n\nhQEM\n-----END PGP MESSAGE-----\n')).failure,
    ).toBe('Encrypted');
  });

  it('is Corrupted or without text when it ends early or is nested too deeply', async () => {
    const whole = buildStreamedSignedFile(XML);
    for (let length = 33; length < whole.length; length += 7) {
      const { text, failure } = await extraction.extract(whole.subarray(0, length));
      expect([null, 'Größe']).toContain(text);
      expect([null, 'Corrupted']).toContain(failure);
    }
    const deep = Buffer.concat([whole.subarray(0, 15), Buffer.from('3080'.repeat(100_000), 'hex')]);
    expect((await extraction.extract(deep)).failure).toBe('Corrupted');
  });

  describe('as a message', () => {
    it('contains the signed parts and their attachments', async () => {
      const inner = buildMessage({
        subject: 'innen',
        parts: [
          { type: 'text/plain; charset=utf-8', content: 'Signierter Text' },
          { type: 'text/plain', name: 'Anlage.txt', content: 'Anlagentext' },
        ],
      });
      const { text } = await extraction.extract(message(`${SMIME}; name=smime.p7m`, buildSignedFile(inner)));
      expect(text).toBe('Bescheid\na@example.com\n\nSignierter Text\n\nAnlage.txt\n\nAnlagentext');
    });

    it('contains signed text with few header fields', async () => {
      const inner = 'Content-Type: text/plain; charset=utf-8\r\n\r\nGrüße';
      const expected = { text: 'Bescheid\na@example.com\n\nGrüße', mediaType: 'message/rfc822' };
      for (const type of [`application/x-pkcs7-mime`, 'application/octet-stream; name=smime.p7m'])
        expect(await extraction.extract(message(type, buildSignedFile(inner)))).toMatchObject(expected);
      expect((await extraction.extract(buildSignedFile(inner), { fileName: 'smime.p7m' })).text).toBe(
        'Grüße',
      );
    });

    it('has the failure Encrypted', async () => {
      const pgp = 'multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b';
      const inline = 'From: a@example.com\r\nSubject: x\r\n\r\n-----BEGIN PGP MESSAGE-----\r\n\r\nhQEM\r\n';
      const signedAround = buildSignedFile(`Content-Type: ${SMIME}\r\n\r\n${lines(buildEnvelopedFile())}`);
      for (const bytes of [
        message(`${SMIME}; smime-type=enveloped-data`, buildEnvelopedFile()),
        message(SMIME, signedAround),
        message(pgp, Buffer.from('x')),
        inline,
      ])
        expect(await extraction.extract(bytes)).toMatchObject({
          mediaType: 'message/rfc822',
          text: null,
          failure: 'Encrypted',
        });
    });
  });
});
