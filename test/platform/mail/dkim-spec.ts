import { createHash, createVerify, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SmtpMailer } from '../../../src/platform/mail/smtp-mailer.js';
import { MailServer } from '../../support/servers/mail-server.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const UNSUBSCRIBE = `https://filing.example/unsubscribe/${'x'.repeat(72)}`;

describe('DKIM signatures', () => {
  let server: MailServer;
  let mailer: SmtpMailer;
  beforeAll(async () => {
    server = await MailServer.start();
    mailer = new SmtpMailer(server.url(), { name: 'Ablage Süd', address: 'filing@example.com' }, true, {
      domainName: 'example.com',
      keySelector: 'filing',
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    });
  });
  afterAll(() => server.stop());

  async function receive(text = 'Grüße\n\n  Zeile  mit   Leerzeichen \n\n\n'): Promise<string> {
    await mailer.send({
      to: 'bob@people.example',
      subject: `Benachrichtigungen: ${'sehr langer Name '.repeat(8)}`,
      text,
      html: `<p>${text}</p>`,
      unsubscribeUrl: UNSUBSCRIBE,
    });
    return (await server.next()).raw.toString('latin1');
  }

  it('verify with the public key', async () => {
    const signature = signatureOf(await receive());
    expect(signature).toMatchObject({
      isValid: true,
      tags: { d: 'example.com', s: 'filing', a: 'rsa-sha256' },
    });
    expect((await receive('x')).includes('DKIM-Signature')).toBe(true);
  });

  it('cover the sender, the recipient, the subject and the fields about unsubscription', async () => {
    const { tags } = signatureOf(await receive());
    expect(tags.h?.split(':')).toEqual(
      expect.arrayContaining([
        'from',
        'to',
        'subject',
        'date',
        'message-id',
        'auto-submitted',
        'list-unsubscribe',
        'list-unsubscribe-post',
      ]),
    );
  });

  it.each([
    ['the body', /Leerzeichen/],
    ['the subject', /^Subject: /m],
    ['the link', /unsubscribe\/x/],
    ['the field of RFC 8058', /One-Click/],
  ])('do not verify after a change of %s', async (_, part) => {
    const message = await receive();
    const changed = message.replace(part, (found) => `${found}!`);
    expect(changed).not.toBe(message);
    expect(signatureOf(changed).isValid).toBe(false);
  });
});

/** Verifies the signature of a message (RFC 6376) with relaxed canonicalization of header and body. */
function signatureOf(message: string): { isValid: boolean; tags: Record<string, string> } {
  const end = message.indexOf('\r\n\r\n');
  const fields = message.slice(0, end).split(/\r\n(?![ \t])/);
  const signature = fields.find((field) => /^dkim-signature:/i.test(field)) ?? '';
  const tags = Object.fromEntries(
    signature
      .slice(signature.indexOf(':') + 1)
      .split(';')
      .map((tag) => tag.replace(/\s+/g, ''))
      .filter(Boolean)
      .map((tag) => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)]),
  ) as Record<string, string>;
  const body = message
    .slice(end + 4)
    .replace(/[ \t]+(?=\r\n)/g, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/(?:\r\n)*$/, '\r\n');
  const bodyHash = createHash('sha256').update(body, 'latin1').digest('base64');
  const rest = [...fields];
  const signed = (tags.h ?? '').split(':').flatMap((name) => {
    const index = rest.findLastIndex((field) => field.toLowerCase().startsWith(`${name.toLowerCase()}:`));
    return index < 0 ? [] : rest.splice(index, 1).map((field) => `${relaxed(field)}\r\n`);
  });
  const isValid = createVerify('RSA-SHA256')
    .update(signed.join('') + relaxed(signature.replace(/(\bb=)[A-Za-z0-9+/=\s]*$/, '$1')), 'latin1')
    .verify(publicKey, tags.b ?? '', 'base64');
  return { isValid: isValid && bodyHash === tags.bh && tags.c === 'relaxed/relaxed', tags };
}

function relaxed(field: string): string {
  const colon = field.indexOf(':');
  const value = field
    .slice(colon + 1)
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim();
  return `${field.slice(0, colon).trim().toLowerCase()}:${value}`;
}
