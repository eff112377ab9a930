import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadConfiguration } from '../../../src/platform/config/configuration.js';

const load = (environment: NodeJS.ProcessEnv) =>
  loadConfiguration({ OIDC_ISSUER: 'https://issuer.example', ...environment });

describe('loadConfiguration, for mail and invitations', () => {
  it.each([
    ['filing@example.com', { name: '', address: 'filing@example.com' }],
    ['Ablage Süd <filing@example.com>', { name: 'Ablage Süd', address: 'filing@example.com' }],
    ['"Filing, south" <filing@example.com>', { name: 'Filing, south', address: 'filing@example.com' }],
    ['<filing@example.com>', { name: '', address: 'filing@example.com' }],
  ])('reads the sender %s', (text, expected) => {
    expect(load({ SMTP_URL: 'smtp://mail.example', MAIL_FROM: text }).mailFrom).toEqual(expected);
  });

  it('requires MAIL_FROM with SMTP_URL; both are optional', () => {
    expect(() => load({ SMTP_URL: 'smtp://mail.example' })).toThrow(/MAIL_FROM must be set with SMTP_URL/);
    expect(load({}).smtpUrl).toBeUndefined();
  });

  it('rejects another protocol, without repeating the password', () => {
    const loadInvalid = () =>
      load({ SMTP_URL: 'https://filing:hush@mail.example', MAIL_FROM: 'a@example.com' });
    expect(loadInvalid).toThrow(/SMTP_URL must be a URL that starts with smtp:\/\/ or smtps:\/\//);
    expect(loadInvalid).not.toThrow(/hush/);
  });

  it('uses the service’s own page for invitations by default', () => {
    expect(load({ PUBLIC_URL: 'https://filing.example/base/' }).invitationUrl).toBe(
      'https://filing.example/base/invitation',
    );
    const invitationUrl = 'https://front.example/join?lang=de';
    expect(load({ INVITATION_URL: invitationUrl }).invitationUrl).toBe(invitationUrl);
    expect(() => load({ INVITATION_URL: 'https://front.example/#/join' })).toThrow(
      /must not have a fragment/,
    );
    expect(() => load({ INVITATION_URL: 'javascript:alert(1)' })).toThrow(/INVITATION_URL must be a URL/);
  });
});

describe('loadConfiguration, for DKIM', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const dkim = { MAIL_DKIM_DOMAIN: 'example.com', MAIL_DKIM_SELECTOR: 'filing-1', MAIL_DKIM_KEY: pem };

  it('reads the DKIM key as text, as text with escaped line ends, or from a file', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'filing-test-'));
    try {
      const file = path.join(folder, 'dkim.pem');
      await writeFile(file, pem);
      for (const key of [pem, pem.replaceAll('\n', '\\n'), file])
        expect(load({ ...dkim, MAIL_DKIM_KEY: key }).mailDkimKey?.trim()).toBe(pem.trim());
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('rejects a DKIM key that cannot sign, without repeating it', () => {
    const short = generateKeyPairSync('rsa', { modulusLength: 512 }).privateKey;
    const other = generateKeyPairSync('ed25519').privateKey;
    const encrypted = privateKey.export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'hush',
    });
    const keys = [short, other].map((key) => key.export({ type: 'pkcs8', format: 'pem' }));
    for (const key of [...keys, encrypted, '/no/such/file.pem', 'hush']) {
      const loadInvalid = () => load({ ...dkim, MAIL_DKIM_KEY: String(key) });
      expect(loadInvalid).toThrow(/MAIL_DKIM_KEY must be an RSA private key/);
      expect(loadInvalid).not.toThrow(/PRIVATE KEY-|hush|such/);
    }
  });

  it.each(Object.keys(dkim))('requires %s with the other settings of DKIM', (missing) => {
    expect(() => load({ ...dkim, [missing]: '' })).toThrow(/must be set together, or none/);
  });
});
