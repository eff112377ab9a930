import { describe, expect, it } from '@jest/globals';
import { TEST_AUDIENCE } from '../../support/servers/issuer.js';
import { issuer, reasonFor, useIssuer, verifier } from './verifier-fixture.js';

useIssuer();

describe('the check for access tokens', () => {
  const refused = 'The token is not an access token.';

  it.each<[string, Record<string, unknown>, string | undefined]>([
    ['has a nonce', { nonce: 'x' }, 'JWT'],
    ['has at_hash', { at_hash: 'x' }, undefined],
    ['has c_hash', { c_hash: 'x' }, 'JWT'],
    ['is Keycloak’s ID token', { typ: 'ID', azp: 'web' }, 'JWT'],
    ['is Keycloak’s refresh token', { typ: 'Refresh' }, 'JWT'],
    ['is Cognito’s ID token', { token_use: 'id' }, undefined],
    ['is a logout token', { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }, 'JWT'],
    ['is a logout token by its header', {}, 'logout+jwt'],
    ['is a DPoP proof', {}, 'dpop+jwt'],
    ['has its own client as audience', { client_id: undefined, azp: TEST_AUDIENCE }, 'JWT'],
  ])('rejects a token that %s', async (_what, claims, typ) => {
    expect(await reasonFor(await issuer.token(claims, { typ }))).toBe(refused);
  });

  it('rejects an ID token, with its own audience and with that of the API', async () => {
    expect(await reasonFor(await issuer.idToken())).toMatch(/audience/);
    expect(await reasonFor(await issuer.idToken({ aud: TEST_AUDIENCE }))).toBe(refused);
  });

  it.each<[string, Record<string, unknown>, string | undefined]>([
    ['RFC 9068', {}, 'application/at+jwt'],
    ['RFC 9068 in capitals', {}, 'AT+JWT'],
    ['Auth0', { azp: 'web', scope: 'openid', client_id: undefined }, 'JWT'],
    ['Entra', { azp: TEST_AUDIENCE, scp: 'Files.Read', client_id: undefined }, 'JWT'],
    ['Okta', { cid: 'web', scp: ['openid'], client_id: undefined }, undefined],
    ['Keycloak', { typ: 'Bearer', azp: 'web' }, 'JWT'],
    ['Keycloak before 24', { typ: 'Bearer', nonce: 'x' }, 'JWT'],
    ['an issuer that sends only required claims', { client_id: undefined }, undefined],
  ])('accepts an access token in the format of %s', async (_what, claims, typ) => {
    expect(await verifier().verify(await issuer.token(claims, { typ }))).toMatchObject({
      subject: 'somebody',
    });
  });
});

describe('the e-mail address', () => {
  async function emailOf(claims: Record<string, unknown>, environment: NodeJS.ProcessEnv = {}) {
    const { email, emailVerified } = await verifier(environment).verify(await issuer.token(claims));
    return [email, emailVerified];
  }

  it('is verified only with email_verified or OIDC_TRUST_EMAIL', async () => {
    const email = 'a@example.com';
    for (const claim of [true, 'true', false, 1, undefined])
      expect(await emailOf({ email, email_verified: claim })).toEqual([email, String(claim) === 'true']);
    expect(await emailOf({ email }, { OIDC_TRUST_EMAIL: 'true' })).toEqual([email, true]);
  });

  it('is null when it is not a valid address', async () => {
    const texts = ['', 'nobody', 'a@', '@b', 'a b@c.de', 'a@b@c', 'a@b..c', 'a\u0000@b.c', 'a@b.c\ud800'];
    const trusting = { OIDC_TRUST_EMAIL: 'true' };
    for (const email of [...texts, 7, null, {}])
      expect(await emailOf({ email, email_verified: true }, trusting)).toEqual([null, false]);
  });

  it('comes from the claim in OIDC_EMAIL_CLAIM', async () => {
    const environment = { OIDC_EMAIL_CLAIM: 'https://example.com/mail' };
    expect(
      await emailOf({ 'https://example.com/mail': 'a@example.com', email_verified: true }, environment),
    ).toEqual(['a@example.com', true]);
    expect(await emailOf({ emails: ['a@example.com'] }, { OIDC_EMAIL_CLAIM: 'emails' })).toEqual([
      'a@example.com',
      false,
    ]);
    expect(await emailOf({}, { OIDC_EMAIL_CLAIM: 'constructor' })).toEqual([null, false]);
  });

  it('is not verified when email_verified refers to a different address', async () => {
    const claims = { upn: 'admin@example.com', email: 'mallory@example.com', email_verified: true };
    expect(await emailOf(claims, { OIDC_EMAIL_CLAIM: 'upn' })).toEqual(['admin@example.com', false]);
  });
});

describe('the display name', () => {
  async function nameOf(claims: Record<string, unknown>) {
    return (await verifier().verify(await issuer.token(claims))).displayName;
  }

  it('is name, or else preferred_username, or else null', async () => {
    expect(await nameOf({ name: 'Zoe', preferred_username: 'zoe' })).toBe('Zoe');
    expect(await nameOf({ name: ' \u0000 ', preferred_username: 'zoe' })).toBe('zoe');
    expect(await nameOf({ name: 7 })).toBeNull();
  });

  it('is truncated to 200 code points and normalised to NFC', async () => {
    expect(await nameOf({ name: '😀'.repeat(300) })).toBe('😀'.repeat(200));
    expect(await nameOf({ name: 'Zoe\u0308' })).toBe('Zoë');
    expect(await nameOf({ name: 'Z\ud800oe' })).toBe('Z\ufffdoe');
  });
});
