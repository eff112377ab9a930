import { describe, expect, it, jest } from '@jest/globals';
import { waitUntil } from '../../support/wait-until.js';
import {
  useFakeClock,
  issuer,
  advanceClock,
  now,
  expectUnavailable,
  rejectionReason,
  useIssuer,
  verifier,
} from './verifier-fixture.js';

useIssuer();

describe('the userinfo endpoint', () => {
  it('is requested once for each token without an e-mail address', async () => {
    useFakeClock();
    const token = await issuer.token();
    issuer.userinfo = (bearer) =>
      bearer === token
        ? { status: 200, body: { sub: 'somebody', email: 'a@example.com', email_verified: true, name: 'A' } }
        : { status: 401 };
    const tokenVerifier = verifier({ OIDC_USERINFO: 'true' });
    const profile = { email: 'a@example.com', emailVerified: true, displayName: 'A' };
    expect(await tokenVerifier.verify(token)).toMatchObject(profile);
    advanceClock(90_000);
    expect(tokenVerifier.cached(token)).toBeUndefined();
    expect(await tokenVerifier.verify(token)).toMatchObject(profile);
    expect(issuer.requestCount('/userinfo')).toBe(1);
  });

  it('is not requested when the token has an address, or without OIDC_USERINFO', async () => {
    await verifier({ OIDC_USERINFO: 'true' }).verify(await issuer.token({ email: 'a@example.com' }));
    await verifier().verify(await issuer.token());
    expect(issuer.requestCount('/userinfo')).toBe(0);
  });

  it('may reject the token of a machine', async () => {
    issuer.userinfo = () => ({ status: 403 });
    const identity = await verifier({ OIDC_USERINFO: 'true' }).verify(await issuer.token());
    expect(identity.email).toBeNull();
  });

  it('must return the subject of the token', async () => {
    issuer.userinfo = () => ({ status: 200, body: { sub: 'another', email: 'a@example.com' } });
    const tokenVerifier = verifier({ OIDC_USERINFO: 'true' });
    expect(await rejectionReason(tokenVerifier.verify(await issuer.token()))).toBe(
      'The userinfo endpoint returned another subject.',
    );
  });

  it('makes verification fail with 503 when it fails, so that no address is lost', async () => {
    issuer.userinfo = () => ({ status: 500 });
    await expectUnavailable(verifier({ OIDC_USERINFO: 'true' }).verify(await issuer.token()));
  });
});

describe('the cache of verified tokens', () => {
  it('returns the identity of a verified token without a promise', async () => {
    const tokenVerifier = verifier();
    const token = await issuer.token();
    expect(tokenVerifier.cached(token)).toBeUndefined();
    const identity = await tokenVerifier.verify(token);
    expect(tokenVerifier.cached(token)).toBe(identity);
    expect(tokenVerifier.cached(`${token} `)).toBeUndefined();
  });

  it('does not return an expired token', async () => {
    useFakeClock();
    const tokenVerifier = verifier({}, { clockTolerance: 0 });
    const token = await issuer.token({ exp: now() + 30 });
    await tokenVerifier.verify(token);
    advanceClock(28_000);
    expect(tokenVerifier.cached(token)).toBeDefined();
    advanceClock(3_000);
    expect(tokenVerifier.cached(token)).toBeUndefined();
    expect(await rejectionReason(tokenVerifier.verify(token))).toBe('The access token has expired.');
  });

  it('keeps a token for at most one minute', async () => {
    useFakeClock();
    const tokenVerifier = verifier();
    const token = await issuer.token();
    await tokenVerifier.verify(token);
    advanceClock(59_000);
    expect(tokenVerifier.cached(token)).toBeDefined();
    advanceClock(2_000);
    expect(tokenVerifier.cached(token)).toBeUndefined();
  });

  it('does not contain rejected tokens', async () => {
    const tokenVerifier = verifier();
    const token = await issuer.token({ aud: 'another' });
    await rejectionReason(tokenVerifier.verify(token));
    expect(tokenVerifier.cached(token)).toBeUndefined();
  });
});

describe('the keys of the issuer', () => {
  it('are not fetched before the first token', async () => {
    verifier();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(issuer.requests.size).toBe(0);
  });

  it('are fetched again for an unknown kid, but only once within the cooldown', async () => {
    useFakeClock();
    const tokenVerifier = verifier();
    await tokenVerifier.verify(await issuer.token());
    await issuer.rotateKeys();
    advanceClock(6_000);
    expect(await tokenVerifier.verify(await issuer.token({ sub: 'after' }))).toMatchObject({
      subject: 'after',
    });
    expect(issuer.requestCount('/keys')).toBe(2);
    for (let i = 0; i < 5; i += 1)
      await rejectionReason(tokenVerifier.verify(await issuer.forgedToken({}, { kid: `mine-${i}` })));
    expect(issuer.requestCount('/keys')).toBe(2);
  });

  it('stop working within minutes after they were withdrawn', async () => {
    useFakeClock();
    const tokenVerifier = verifier();
    const token = await issuer.token();
    await tokenVerifier.verify(token);
    await issuer.rotateKeys();
    // Two minutes pass with one request each minute. The second request starts a refresh in the background.
    advanceClock(61_000);
    await tokenVerifier.verify(token);
    advanceClock(61_000);
    await tokenVerifier.verify(token);
    await waitUntil(() => issuer.requestCount('/keys') === 2);
    // The refreshed keys include the new one.
    await tokenVerifier.verify(await issuer.token({ sub: 'after' }));
    expect(issuer.requestCount('/keys')).toBe(2);
    expect(tokenVerifier.cached(token)).toBeDefined();
    advanceClock(61_000);
    expect(await rejectionReason(tokenVerifier.verify(token))).toBe(
      'The access token is signed with a key that its issuer does not publish.',
    );
  });

  it('remain usable during a short outage, but not during a long one', async () => {
    useFakeClock();
    const tokenVerifier = verifier();
    const token = await issuer.token();
    await tokenVerifier.verify(token);
    issuer.failure = (res) => res.destroy();
    advanceClock(5 * 60_000);
    expect(await tokenVerifier.verify(token)).toMatchObject({ subject: 'somebody' });
    advanceClock(6 * 60_000);
    await expectUnavailable(tokenVerifier.verify(token));
    issuer.failure = undefined;
    advanceClock(6_000);
    expect(await tokenVerifier.verify(token)).toMatchObject({ subject: 'somebody' });
  });
});

describe('an issuer that is unavailable', () => {
  it('causes a 503, not a 401', async () => {
    const token = await issuer.token();
    await issuer.stop();
    await expectUnavailable(verifier().verify(token));
  });

  it('gets no further request within the cooldown', async () => {
    useFakeClock();
    issuer.failure = (res) => res.writeHead(500).end();
    const tokenVerifier = verifier();
    for (let i = 0; i < 5; i += 1)
      await expectUnavailable(tokenVerifier.verify(await issuer.token({ jti: String(i) })));
    expect(issuer.requestCount('/.well-known/openid-configuration')).toBe(1);
    issuer.failure = undefined;
    advanceClock(6_000);
    expect(await tokenVerifier.verify(await issuer.token())).toMatchObject({ subject: 'somebody' });
  });

  it('causes a 503 when it does not answer within the timeout', async () => {
    issuer.failure = () => undefined; // never answers
    await expectUnavailable(verifier({}, { requestTimeout: 200 }).verify(await issuer.token()));
  });

  it('gets no second request after a timeout', async () => {
    const timeoutController = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(timeoutController.signal);
    // Simulates the timeout as soon as the issuer receives the request, so that the test does not depend on time.
    issuer.failure = () => timeoutController.abort();
    await expectUnavailable(verifier({}, { requestTimeout: 200 }).verify(await issuer.token()));
    expect(timeout.mock.calls).toEqual([[200]]);
    expect(issuer.requestCount('/.well-known/openid-configuration')).toBe(1);
    timeout.mockRestore();
  });

  it.each<[string, Record<string, unknown>]>([
    ['names another issuer', { issuer: 'https://issuer.example' }],
    ['has no key set', { jwks_uri: undefined }],
    ['has a file URL for its keys', { jwks_uri: 'file:///etc/passwd' }],
  ])('is treated like one whose discovery document %s', async (_what, discovery) => {
    issuer.discovery = discovery;
    await expectUnavailable(verifier().verify(await issuer.token()));
  });
});
