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

  it.each(['filing', 'a@example.com, b@example.com', 'Filing <filing>', 'Filing <a@b.example> x'])(
    'rejects the sender %s',
    (text) => {
      expect(() => load({ MAIL_FROM: text })).toThrow(/MAIL_FROM must be an e-mail address/);
    },
  );

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
