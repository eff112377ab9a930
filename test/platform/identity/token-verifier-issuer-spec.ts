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
  it('is asked once in the life of a token that has no e-mail address', async () => {
    useFakeClock();
    const token = await issuer.token();
    issuer.userinfo = (bearer) =>
      bearer === token
        ? { status: 200, body: { sub: 'somebody', email: 'a@example.com', email_verified: true, name: 'A' } }
        : { status: 401 };
    const tokenVerifier = verifier({ OIDC_USERINFO: 'true' });
    const told = { email: 'a@example.com', emailVerified: true, displayName: 'A' };
    expect(await tokenVerifier.verify(token)).toMatchObject(told);
    advanceClock(90_000);
    expect(tokenVerifier.cached(token)).toBeUndefined();
    expect(await tokenVerifier.verify(token)).toMatchObject(told);
    expect(issuer.requestCount('/userinfo')).toBe(1);
  });

  it('is not asked when the token has one, or when it is not wanted', async () => {
    await verifier({ OIDC_USERINFO: 'true' }).verify(await issuer.token({ email: 'a@example.com' }));
    await verifier().verify(await issuer.token());
    expect(issuer.requestCount('/userinfo')).toBe(0);
  });

  it('may not know a machine', async () => {
    issuer.userinfo = () => ({ status: 403 });
    const identity = await verifier({ OIDC_USERINFO: 'true' }).verify(await issuer.token());
    expect(identity.email).toBeNull();
  });

  it('must speak of the same subject', async () => {
    issuer.userinfo = () => ({ status: 200, body: { sub: 'another', email: 'a@example.com' } });
    const tokenVerifier = verifier({ OIDC_USERINFO: 'true' });
    expect(await rejectionReason(tokenVerifier.verify(await issuer.token()))).toBe(
      'The userinfo endpoint speaks of another subject.',
    );
  });

  it('that fails is no reason to forget an address', async () => {
    issuer.userinfo = () => ({ status: 500 });
    await expectUnavailable(verifier({ OIDC_USERINFO: 'true' }).verify(await issuer.token()));
  });
});

describe('a verified token is remembered', () => {
  it('and then known without a promise', async () => {
    const tokenVerifier = verifier();
    const token = await issuer.token();
    expect(tokenVerifier.cached(token)).toBeUndefined();
    const identity = await tokenVerifier.verify(token);
    expect(tokenVerifier.cached(token)).toBe(identity);
    expect(tokenVerifier.cached(`${token} `)).toBeUndefined();
  });

  it('not past its end', async () => {
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

  it('not longer than a minute', async () => {
    useFakeClock();
    const tokenVerifier = verifier();
    const token = await issuer.token();
    await tokenVerifier.verify(token);
    advanceClock(59_000);
    expect(tokenVerifier.cached(token)).toBeDefined();
    advanceClock(2_000);
    expect(tokenVerifier.cached(token)).toBeUndefined();
  });

  it('and a refused one is not', async () => {
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

  it('are fetched anew for a kid that is unknown, but not for every one', async () => {
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

  it('once withdrawn stop working within minutes', async () => {
    useFakeClock();
    const tokenVerifier = verifier();
    const token = await issuer.token();
    await tokenVerifier.verify(token);
    await issuer.rotateKeys();
    // Two minutes pass with a request each minute; the second has the keys fetched behind its back.
    advanceClock(61_000);
    await tokenVerifier.verify(token);
    advanceClock(61_000);
    await tokenVerifier.verify(token);
    await waitUntil(() => issuer.requestCount('/keys') === 2);
    // Known by the keys that are being fetched, or have been.
    await tokenVerifier.verify(await issuer.token({ sub: 'after' }));
    expect(issuer.requestCount('/keys')).toBe(2);
    expect(tokenVerifier.cached(token)).toBeDefined();
    advanceClock(61_000);
    expect(await rejectionReason(tokenVerifier.verify(token))).toBe(
      'The access token is signed with a key unknown to its issuer.',
    );
  });

  it('known already outlast a short outage, not a long one', async () => {
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

describe('an issuer that is away', () => {
  it('is an outage, not a bad token', async () => {
    const token = await issuer.token();
    await issuer.stop();
    await expectUnavailable(verifier().verify(token));
  });

  it('is not asked again at once', async () => {
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

  it('is given up on after a while', async () => {
    issuer.failure = () => undefined; // never answers
    await expectUnavailable(verifier({}, { requestTimeout: 200 }).verify(await issuer.token()));
  });

  it('is not asked again by who has given it up', async () => {
    const patience = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal);
    // The time is up when it has been asked, which may take any time.
    issuer.failure = () => patience.abort();
    await expectUnavailable(verifier({}, { requestTimeout: 200 }).verify(await issuer.token()));
    expect(timeout.mock.calls).toEqual([[200]]);
    expect(issuer.requestCount('/.well-known/openid-configuration')).toBe(1);
    timeout.mockRestore();
  });

  it.each<[string, Record<string, unknown>]>([
    ['names itself otherwise', { issuer: 'https://issuer.example' }],
    ['has no key set', { jwks_uri: undefined }],
    ['has its keys in a file', { jwks_uri: 'file:///etc/passwd' }],
  ])('is as good as one that %s', async (_what, discovery) => {
    issuer.discovery = discovery;
    await expectUnavailable(verifier().verify(await issuer.token()));
  });
});
