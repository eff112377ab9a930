import { expect, it } from '@jest/globals';
import { type Response, type Test } from 'supertest';
import { type SavedInvitation, saveInvitation } from '../../factories/invitations.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { withRawBody } from '../../support/raw-body.js';
import { SecondInstance } from '../../support/service/second-instance.js';
import { type TestTenant } from '../../support/tenant.js';
import { ABSENT, bodyWith } from '../../support/operations/text-rules.js';

export interface AnswerUnderTest {
  readonly tenant: () => TestTenant;
  /** A member who may invite. */
  readonly admin: () => Actor;
  /** Somebody with a verified address who is no member, and the invitation to that address. */
  readonly invited: () => Actor;
  readonly invitation: () => SavedInvitation;
  readonly send: (actor: Actor, body: object) => Test;
}

/** What accepting and declining have in common: who may not, and that nobody else learns anything. */
export function answeringAnInvitation({ tenant, admin, invited, invitation, send }: AnswerUnderTest): void {
  const good = () => ({ secret: invitation().secret });
  const unchanged = async (work: () => Promise<void>) => {
    const before = await tenant().fingerprint();
    await work();
    expect(await tenant().fingerprint()).toEqual(before);
  };

  it('401: without a token, with a challenge', () =>
    unchanged(async () => {
      const response = await send(invited().bearing(null), good());
      expectProblem(response, 'authentication.required');
      expect(response.headers['www-authenticate']).toMatch(/^Bearer/);
    }));

  it('401: with a token that nobody signed', () =>
    unchanged(async () => {
      const token = tenant().service.issuer.unsignedToken({ sub: invited().subject, email: invited().email });
      expectProblem(await send(invited().bearing(token), good()), 'authentication.required');
    }));

  it.each([
    ['is not JSON', '{"secret":'],
    ['is too deep', `{"unknown":${'['.repeat(40)}${']'.repeat(40)}}`],
    ['is not there', ''],
  ])('400: for a body that %s', (_, bytes) =>
    unchanged(async () =>
      expectProblem(await withRawBody(send(invited(), {}), bytes), 'request.malformed-body', ['$']),
    ),
  );

  it.each(['null', '[]', '"text"'])('400: for a body that is no JSON object: %s', (bytes) =>
    unchanged(async () =>
      expectProblem(await withRawBody(send(invited(), {}), bytes), 'request.invalid', ['$']),
    ),
  );

  it.each([
    ['not there', ABSENT],
    ['null', null],
    ['a number', 5],
    ['empty', ''],
    ['too long', 'x'.repeat(201)],
    ['with NUL', 'a\u0000b'],
  ])('400: for a secret that is %s, whether there is such a tenant or not', (_, value) =>
    unchanged(async () => {
      for (const actor of [invited(), elsewhere(invited())])
        expectProblem(await send(actor, bodyWith({}, 'secret', value)), 'request.invalid', ['secret']);
    }),
  );

  it('413: for a body of more than 1 MiB', () =>
    unchanged(async () =>
      expectProblem(
        await withRawBody(send(invited(), {}), `"${'x'.repeat(1024 * 1024)}"`),
        'request.too-large',
      ),
    ));

  it('415: for a body of another media type', () =>
    unchanged(async () =>
      expectProblem(
        await withRawBody(send(invited(), {}), JSON.stringify(good()), 'text/plain'),
        'request.unsupported-media-type',
      ),
    ));

  it('429: when the caller has used up the limit of those who are no members', async () => {
    const strict = await SecondInstance.start(tenant().service, {
      configuration: { rateLimitPerMinute: 1, rateLimitBurst: 1 },
    });
    try {
      const caller = strict.of(invited());
      await send(elsewhere(caller), good());
      await unchanged(async () => {
        const response = await send(caller, good());
        expectProblem(response, 'request.rate-limited');
        expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
      });
    } finally {
      await strict.stop();
    }
  });

  it('404: one and the same for whatever is not an invitation for the caller', async () => {
    const { service } = tenant();
    const email = invited().email;
    const ended: SavedInvitation[] = [];
    for (const status of ['Accepted', 'Declined', 'Revoked', 'Expired'] as const)
      ended.push(await saveInvitation(tenant(), admin(), { email, status }));
    const toOther = await saveInvitation(tenant(), admin());
    const other = await service.tenant();
    const ofOther = await saveInvitation(other, await other.as('administrator'), { email });
    const tokenOf = async (claims: object) =>
      invited().bearing(await service.issuer.token({ sub: invited().subject, ...claims }));

    const { secret } = invitation();
    const answers: [string, Response][] = [];
    await unchanged(async () => {
      const ask = async (what: string, actor: Actor, body: object) =>
        answers.push([what, await send(actor, body)]);
      await ask('unknown tenant', elsewhere(invited()), { secret });
      await ask('no slug', elsewhere(invited(), 'No%20Slug'), { secret });
      await ask('unknown secret', invited(), { secret: 'x'.repeat(43) });
      await ask('no secret', invited(), { secret: '\u{1f600}' });
      await ask('secret in capitals', invited(), { secret: secret.toUpperCase() });
      for (const one of ended) await ask('ended', invited(), { secret: one.secret });
      await ask('to somebody else', invited(), { secret: toOther.secret });
      await ask('of another tenant', invited(), { secret: ofOther.secret });
      await ask('another person', await tenant().outsider(), { secret });
      await ask('a member', admin(), { secret });
      await ask('not verified', await tokenOf({ email, email_verified: false }), { secret });
      await ask('verification not told', await tokenOf({ email }), { secret });
      await ask('without an address', await tokenOf({}), { secret });
      await ask('with another one', await tokenOf({ email: `x${email}`, email_verified: true }), { secret });
    });
    await service.query('UPDATE invitations SET expires_at = now() WHERE id = $1', [invitation().id]);
    await unchanged(async () => void answers.push(['run out', await send(invited(), { secret })]));

    const kinds = new Map<string, string[]>();
    for (const [what, response] of answers) {
      expectProblem(response, 'resource.not-found');
      const headers = Object.entries(response.headers).filter(
        ([name]) => !['date', 'x-request-id', 'ratelimit'].includes(name),
      );
      const kind = JSON.stringify([{ ...(response.body as object), instance: '' }, headers]);
      kinds.set(kind, [...(kinds.get(kind) ?? []), what]);
    }
    expect([...kinds.values()]).toHaveLength(1);
  });
}

/** The same person calling a tenant that does not exist. */
function elsewhere(actor: Actor, slug = 'no-such-tenant'): Actor {
  return actor.at(Object.create(actor.tenant, { slug: { value: slug } }) as TestTenant);
}
