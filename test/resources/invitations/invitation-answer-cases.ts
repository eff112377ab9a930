import { expect, it } from '@jest/globals';
import { type Response, type Test } from 'supertest';
import { type SavedInvitation, saveInvitation } from '../../factories/invitations.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { withRawBody } from '../../support/raw-body.js';
import { SecondInstance } from '../../support/service/second-instance.js';
import { type TestTenant } from '../../support/tenant.js';
import { ABSENT, bodyWith } from '../../support/operations/text-rules.js';

export interface AnswerUnderTest {
  readonly tenant: () => TestTenant;
  /** A member with invitations.manage. */
  readonly admin: () => Actor;
  /** A user with a verified address who is not a member, and the invitation to this address. */
  readonly invited: () => Actor;
  readonly invitation: () => SavedInvitation;
  readonly send: (actor: Actor, body: object) => Test;
}

/** The cases that AcceptInvitation and DeclineInvitation share. */
export function invitationAnswerCases({ tenant, admin, invited, invitation, send }: AnswerUnderTest): void {
  const validBody = () => ({ secret: invitation().secret });
  it('returns 401 with a challenge without a token', async () => {
    const response = await tenant().expectNoChange(() => send(invited().withToken(null), validBody()));
    expectProblem(response, 'authentication.required');
    expect(response.headers['www-authenticate']).toMatch(/^Bearer/);
  });

  it('returns 401 for an unsigned token', () => {
    const token = tenant().service.issuer.unsignedToken({ sub: invited().subject, email: invited().email });
    const request = send(invited().withToken(token), validBody());
    return expectRefused(tenant(), request, 'authentication.required');
  });

  it.each([
    ['is not JSON', '{"secret":'],
    ['is nested too deeply', `{"unknown":${'['.repeat(40)}${']'.repeat(40)}}`],
    ['is empty', ''],
  ])('returns 400 for a body that %s', (_, bytes) =>
    expectRefused(tenant(), withRawBody(send(invited(), {}), bytes), 'request.malformed-body', ['$']),
  );

  it.each(['null', '[]', '"text"'])('returns 400 for a body that is not a JSON object: %s', (bytes) =>
    expectRefused(tenant(), withRawBody(send(invited(), {}), bytes), 'request.invalid', ['$']),
  );

  it.each([
    ['absent', ABSENT],
    ['null', null],
    ['a number', 5],
    ['empty', ''],
    ['too long', 'x'.repeat(201)],
    ['a text with NUL', 'a\u0000b'],
  ])('returns 400 for a secret that is %s, in an existing or unknown tenant', async (_, value) => {
    const body = bodyWith({}, 'secret', value);
    for (const actor of [invited(), inUnknownTenant(invited())])
      await expectRefused(tenant(), send(actor, body), 'request.invalid', ['secret']);
  });

  it('returns 413 for a body of more than 1 MiB', () =>
    expectRefused(
      tenant(),
      withRawBody(send(invited(), {}), `"${'x'.repeat(1024 * 1024)}"`),
      'request.too-large',
    ));

  it('returns 415 for a body of another media type', () =>
    expectRefused(
      tenant(),
      withRawBody(send(invited(), {}), JSON.stringify(validBody()), 'text/plain'),
      'request.unsupported-media-type',
    ));

  it('returns 429 when the caller has used up the limit for callers who are not members', async () => {
    const strict = await SecondInstance.start(tenant().service, {
      configuration: { rateLimitPerMinute: 1, rateLimitBurst: 1 },
    });
    try {
      const caller = strict.actor(invited());
      await send(inUnknownTenant(caller), validBody());
      const response = await tenant().expectNoChange(() => send(caller, validBody()));
      expectProblem(response, 'request.rate-limited');
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      await strict.stop();
    }
  });

  it('returns 404 with identical answers for everything that is not an open invitation to the caller', async () => {
    const { service } = tenant();
    const email = invited().email;
    const ended: SavedInvitation[] = [];
    for (const status of ['Accepted', 'Declined', 'Revoked', 'Expired'] as const)
      ended.push(await saveInvitation(tenant(), admin(), { email, status }));
    const toOther = await saveInvitation(tenant(), admin());
    const other = await service.tenant();
    const ofOther = await saveInvitation(other, await other.as('administrator'), { email });
    const tokenOf = async (claims: object) =>
      invited().withToken(await service.issuer.token({ sub: invited().subject, ...claims }));

    const { secret } = invitation();
    const answers: [string, Response][] = [];
    await tenant().expectNoChange(async () => {
      const add = async (what: string, actor: Actor, body: object) =>
        answers.push([what, await send(actor, body)]);
      await add('unknown tenant', inUnknownTenant(invited()), { secret });
      await add('no slug', inUnknownTenant(invited(), 'No%20Slug'), { secret });
      await add('unknown secret', invited(), { secret: 'x'.repeat(43) });
      await add('no secret', invited(), { secret: '\u{1f600}' });
      await add('secret in capitals', invited(), { secret: secret.toUpperCase() });
      for (const one of ended) await add('ended', invited(), { secret: one.secret });
      await add('to another user', invited(), { secret: toOther.secret });
      await add('of another tenant', invited(), { secret: ofOther.secret });
      await add('another user', await tenant().nonMember(), { secret });
      await add('a member', admin(), { secret });
      await add('not verified', await tokenOf({ email, email_verified: false }), { secret });
      await add('without email_verified', await tokenOf({ email }), { secret });
      await add('without an address', await tokenOf({}), { secret });
      await add('with another one', await tokenOf({ email: `x${email}`, email_verified: true }), { secret });
    });
    await service.query(`UPDATE invitations SET expires_at = now() - interval '1 second' WHERE id = $1`, [
      invitation().id,
    ]);
    answers.push(['expired', await tenant().expectNoChange(() => send(invited(), { secret }))]);

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

function inUnknownTenant(actor: Actor, slug = 'no-such-tenant'): Actor {
  return actor.inTenant(Object.create(actor.tenant, { slug: { value: slug } }) as TestTenant);
}
