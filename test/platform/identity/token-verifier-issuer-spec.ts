import { describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../../support/patience.js';
import { holdClocks, issuer, later, now, outage, refusal, useIssuer, verifier } from './verification.js';

useIssuer();

describe('the userinfo endpoint', () => {
  it('is asked once in the life of a token that has no e-mail address', async () => {
    holdClocks();
    const token = await issuer.token();
    issuer.userinfo = (bearer) =>
      bearer === token
        ? { status: 200, body: { sub: 'somebody', email: 'a@example.com', email_verified: true, name: 'A' } }
        : { status: 401 };
    const verifies = verifier({ OIDC_USERINFO: 'true' });
    const told = { email: 'a@example.com', emailVerified: true, displayName: 'A' };
    expect(await verifies.verify(token)).toMatchObject(told);
    later(90_000);
    expect(verifies.remembered(token)).toBeUndefined();
    expect(await verifies.verify(token)).toMatchObject(told);
    expect(issuer.count('/userinfo')).toBe(1);
  });

  it('is not asked when the token has one, or when it is not wanted', async () => {
    await verifier({ OIDC_USERINFO: 'true' }).verify(await issuer.token({ email: 'a@example.com' }));
    await verifier().verify(await issuer.token());
    expect(issuer.count('/userinfo')).toBe(0);
  });

  it('may not know a machine', async () => {
    issuer.userinfo = () => ({ status: 403 });
    const identity = await verifier({ OIDC_USERINFO: 'true' }).verify(await issuer.token());
    expect(identity.email).toBeNull();
  });

  it('must speak of the same subject', async () => {
    issuer.userinfo = () => ({ status: 200, body: { sub: 'another', email: 'a@example.com' } });
    const verifies = verifier({ OIDC_USERINFO: 'true' });
    expect(await refusal(verifies.verify(await issuer.token()))).toBe(
      'The userinfo endpoint speaks of another subject.',
    );
  });

  it('that fails is no reason to forget an address', async () => {
    issuer.userinfo = () => ({ status: 500 });
    await outage(verifier({ OIDC_USERINFO: 'true' }).verify(await issuer.token()));
  });
});

describe('a verified token is remembered', () => {
  it('and then known without a promise', async () => {
    const verifies = verifier();
    const token = await issuer.token();
    expect(verifies.remembered(token)).toBeUndefined();
    const identity = await verifies.verify(token);
    expect(verifies.remembered(token)).toBe(identity);
    expect(verifies.remembered(`${token} `)).toBeUndefined();
  });

  it('not past its end', async () => {
    holdClocks();
    const verifies = verifier({}, { clockTolerance: 0 });
    const token = await issuer.token({ exp: now() + 30 });
    await verifies.verify(token);
    later(28_000);
    expect(verifies.remembered(token)).toBeDefined();
    later(3_000);
    expect(verifies.remembered(token)).toBeUndefined();
    expect(await refusal(verifies.verify(token))).toBe('The access token has expired.');
  });

  it('not longer than a minute', async () => {
    holdClocks();
    const verifies = verifier();
    const token = await issuer.token();
    await verifies.verify(token);
    later(59_000);
    expect(verifies.remembered(token)).toBeDefined();
    later(2_000);
    expect(verifies.remembered(token)).toBeUndefined();
  });

  it('and a refused one is not', async () => {
    const verifies = verifier();
    const token = await issuer.token({ aud: 'another' });
    await refusal(verifies.verify(token));
    expect(verifies.remembered(token)).toBeUndefined();
  });
});

describe('the keys of the issuer', () => {
  it('are not fetched before the first token', async () => {
    verifier();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(issuer.requests.size).toBe(0);
  });

  it('are fetched anew for a kid that is unknown, but not for every one', async () => {
    holdClocks();
    const verifies = verifier();
    await verifies.verify(await issuer.token());
    await issuer.rotateKeys();
    later(6_000);
    expect(await verifies.verify(await issuer.token({ sub: 'after' }))).toMatchObject({ subject: 'after' });
    expect(issuer.count('/keys')).toBe(2);
    for (let i = 0; i < 5; i += 1)
      await refusal(verifies.verify(await issuer.forgedToken({}, { kid: `mine-${i}` })));
    expect(issuer.count('/keys')).toBe(2);
  });

  it('once withdrawn stop working within minutes', async () => {
    holdClocks();
    const verifies = verifier();
    const token = await issuer.token();
    await verifies.verify(token);
    await issuer.rotateKeys();
    // Two minutes pass with a request each minute; the second has the keys fetched behind its back.
    later(61_000);
    await verifies.verify(token);
    later(61_000);
    await verifies.verify(token);
    await eventually(() => issuer.count('/keys') === 2);
    // Known by the keys that are being fetched, or have been.
    await verifies.verify(await issuer.token({ sub: 'after' }));
    expect(issuer.count('/keys')).toBe(2);
    expect(verifies.remembered(token)).toBeDefined();
    later(61_000);
    expect(await refusal(verifies.verify(token))).toBe(
      'The access token is signed with a key unknown to its issuer.',
    );
  });

  it('known already outlast a short outage, not a long one', async () => {
    holdClocks();
    const verifies = verifier();
    const token = await issuer.token();
    await verifies.verify(token);
    issuer.fault = (res) => res.destroy();
    later(5 * 60_000);
    expect(await verifies.verify(token)).toMatchObject({ subject: 'somebody' });
    later(6 * 60_000);
    await outage(verifies.verify(token));
    issuer.fault = undefined;
    later(6_000);
    expect(await verifies.verify(token)).toMatchObject({ subject: 'somebody' });
  });
});

describe('an issuer that is away', () => {
  it('is an outage, not a bad token', async () => {
    const token = await issuer.token();
    await issuer.stop();
    await outage(verifier().verify(token));
  });

  it('is not asked again at once', async () => {
    holdClocks();
    issuer.fault = (res) => res.writeHead(500).end();
    const verifies = verifier();
    for (let i = 0; i < 5; i += 1) await outage(verifies.verify(await issuer.token({ jti: String(i) })));
    expect(issuer.count('/.well-known/openid-configuration')).toBe(1);
    issuer.fault = undefined;
    later(6_000);
    expect(await verifies.verify(await issuer.token())).toMatchObject({ subject: 'somebody' });
  });

  it('is given up on after a while', async () => {
    issuer.fault = () => undefined; // never answers
    await outage(verifier({}, { requestTimeout: 200 }).verify(await issuer.token()));
  });

  it('is not asked again by who has given it up', async () => {
    const patience = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal);
    // The time is up when it has been asked, which may take any time.
    issuer.fault = () => patience.abort();
    await outage(verifier({}, { requestTimeout: 200 }).verify(await issuer.token()));
    expect(timeout.mock.calls).toEqual([[200]]);
    expect(issuer.count('/.well-known/openid-configuration')).toBe(1);
    timeout.mockRestore();
  });

  it.each<[string, Record<string, unknown>]>([
    ['names itself otherwise', { issuer: 'https://issuer.example' }],
    ['has no key set', { jwks_uri: undefined }],
    ['has its keys in a file', { jwks_uri: 'file:///etc/passwd' }],
  ])('is as good as one that %s', async (_what, discovery) => {
    issuer.discovery = discovery;
    await outage(verifier().verify(await issuer.token()));
  });
});
