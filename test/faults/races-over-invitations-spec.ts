import { beforeAll, describe, expect } from '@jest/globals';
import { type Response, type Test } from 'supertest';
import { saveInvitation } from '../factories/invitations.js';
import { expectMember, roleIdOf, saveRole } from '../factories/roles.js';
import { type Actor } from '../support/actor.js';
import { expectProblem } from '../support/expect-problem.js';
import { type TestTenant } from '../support/tenant.js';
import {
  RaceGround,
  expectOneWinner,
  expectRefused,
  idOf,
  isDone,
  times,
  told,
} from './support/race-ground.js';

describe('Races over invitations', () => {
  const ground = new RaceGround();
  let tenant: TestTenant;
  let people: Actor[];
  beforeAll(async () => {
    tenant = await ground.service.tenant();
    people = [await tenant.as('administrator'), await tenant.as('administrator')];
  });

  const statusOf = async (id: string) => {
    const [row] = await ground.service.query<{ status: string }>(
      'SELECT status FROM invitations WHERE tenant_id = $1 AND id = $2',
      [tenant.id, id],
    );
    return row?.status ?? '';
  };

  ground.race('accepted, declined and revoked: one of it', async ({ chance, writers, on, atOnce }) => {
    const newcomer = await tenant.outsider();
    // Known to both instances, or whoever revokes it would nearly always be there first.
    for (const known of [newcomer, ground.second.of(newcomer)]) {
      expect((await known.get('/me')).status).toBe(404);
    }
    const { id, secret } = await saveInvitation(tenant, people[0]!, { email: newcomer.email });
    const ways: Record<string, { send: () => Test; lost: 'resource.not-found' | 'invitation.ended' }> = {
      Accepted: {
        send: () => on(newcomer).post('/invitations/accept', { secret }),
        lost: 'resource.not-found',
      },
      Declined: {
        send: () => on(newcomer).post('/invitations/decline', { secret }),
        lost: 'resource.not-found',
      },
      Revoked: {
        send: () => on(chance.pick(people)).delete(`/invitations/${id}`),
        lost: 'invitation.ended',
      },
    };
    const sent = times(writers, (n) =>
      n === 0 ? 'Revoked' : chance.pick(['Accepted', 'Accepted', 'Declined']),
    );
    const answers = await atOnce(sent.map((way) => ways[way]!.send()));
    for (const [n, answer] of answers.entries()) {
      if (!isDone(answer)) expectProblem(answer, ways[sent[n]!]!.lost);
    }
    const won = sent.filter((_, n) => isDone(answers[n]!));
    expect(won).toEqual([await statusOf(id)]);
    const isMember = won[0] === 'Accepted';
    expect(told(await ground.takeEntries(tenant))).toEqual([
      `Invitation${won[0]} ${id}`,
      ...(isMember ? [`MemberAdded ${newcomer.userId}`] : []),
    ]);
    expect((await on(newcomer).get('/notifications')).status).toBe(isMember ? 200 : 403);
    return won[0]!;
  });

  ground.race('accepted, while the same person is made a member: once', async (round) => {
    const { chance, writers, on, atOnce } = round;
    const newcomer = await tenant.outsider();
    const { id, secret } = await saveInvitation(tenant, people[0]!, { email: newcomer.email });
    const member = { issuer: ground.service.issuer.url, subject: newcomer.subject };
    const roleId = await tenant.roleId('guest');
    const accepts = chance.between(1, writers - 1);
    const answers = await atOnce([
      ...times(accepts, () => on(newcomer).post('/invitations/accept', { secret })),
      ...times(writers - accepts, () => on(chance.pick(people)).post('/members', { ...member, roleId })),
    ]);
    // Accepting what somebody else has accepted is a 404; being a member already is a 409.
    const winner = expectOneWinner(answers, 'member.exists', 'resource.not-found');
    const isAccepted = answers.indexOf(winner) < accepts;
    expect(await statusOf(id)).toBe(isAccepted ? 'Accepted' : 'Pending');
    expect(await roleIdOf(tenant, newcomer)).toBe(isAccepted ? await tenant.roleId('viewer') : roleId);
    expect(told(await ground.takeEntries(tenant))).toEqual([
      ...(isAccepted ? [`InvitationAccepted ${id}`] : []),
      `MemberAdded ${newcomer.userId}`,
    ]);
    return isAccepted ? 'accepted' : 'added';
  });

  ground.race('accepted, while the same address is invited again: no second one', async (round) => {
    const { chance, writers, on, atOnce } = round;
    const newcomer = await tenant.outsider();
    const { id, secret } = await saveInvitation(tenant, people[0]!, { email: newcomer.email });
    const roleId = await tenant.roleId('guest');
    const [accepted, ...invited] = (await atOnce([
      on(newcomer).post('/invitations/accept', { secret }),
      ...times(writers - 1, () =>
        on(chance.pick(people)).post('/invitations', { email: newcomer.email.toUpperCase(), roleId }),
      ),
    ])) as [Response, ...Response[]];
    expect(accepted.status).toBe(200);
    for (const answer of invited) expectProblem(answer, 'invitation.exists');
    expect(told(await ground.takeEntries(tenant))).toEqual([
      `InvitationAccepted ${id}`,
      `MemberAdded ${newcomer.userId}`,
    ]);
    return 'accepted';
  });

  ground.race('revoked, while the same address is invited again: one stays', async (round) => {
    const { chance, writers, on, atOnce, number } = round;
    const email = `again-${number}@people.example`;
    const { id } = await saveInvitation(tenant, people[0]!, { email });
    const roleId = await tenant.roleId('guest');
    const [revoked, ...invited] = (await atOnce([
      on(chance.pick(people)).delete(`/invitations/${id}`),
      ...times(writers - 1, () => on(chance.pick(people)).post('/invitations', { email, roleId })),
    ])) as [Response, ...Response[]];
    expect(revoked.status).toBe(204);
    expectRefused(invited, 'invitation.exists');
    const made = invited.filter(isDone).map(idOf);
    expect(made.length).toBeLessThanOrEqual(1);
    const pending = await ground.service.query<{ id: string }>(
      `SELECT id FROM invitations WHERE tenant_id = $1 AND email_key = $2 AND status = 'Pending'`,
      [tenant.id, email],
    );
    expect(pending.map((one) => one.id)).toEqual(made);
    expect(told(await ground.takeEntries(tenant))).toEqual(
      [`InvitationRevoked ${id}`, ...made.map((one) => `InvitationCreated ${one}`)].sort(),
    );
    return made.length > 0 ? 'another one' : 'none';
  });

  ground.race('the role of an invitation, deleted while that is answered', async (round) => {
    const { chance, writers, on, atOnce } = round;
    const newcomer = await tenant.outsider();
    const role = await saveRole(tenant, ['tags.read']);
    const { id, secret } = await saveInvitation(tenant, people[0]!, {
      email: newcomer.email,
      roleId: role.id,
    });
    const isAccepted = chance.next() < 0.3;
    const [answered, ...deletes] = (await atOnce([
      isAccepted
        ? on(newcomer).post('/invitations/accept', { secret })
        : on(chance.pick(people)).delete(`/invitations/${id}`),
      ...times(writers - 1, () => on(chance.pick(people)).delete(`/roles/${role.id}`)),
    ])) as [Response, ...Response[]];
    expect(isDone(answered)).toBe(true);
    // In use before, somebody's for good if it was accepted, and gone for the next one once it is deleted.
    expectRefused(deletes, 'role.in-use', 'resource.not-found');
    const deleted = deletes.filter(isDone).length;
    expect(deleted).toBeLessThanOrEqual(isAccepted ? 0 : 1);
    expect((await ground.ids(tenant, 'roles')).has(role.id)).toBe(deleted === 0);
    expect(told(await ground.takeEntries(tenant))).toEqual([
      isAccepted ? `InvitationAccepted ${id}` : `InvitationRevoked ${id}`,
      ...(isAccepted ? [`MemberAdded ${newcomer.userId}`] : []),
      ...(deleted > 0 ? [`RoleDeleted ${role.id}`] : []),
    ]);
    return isAccepted ? 'accepted' : deleted > 0 ? 'revoked and deleted' : 'revoked';
  });

  ground.race('the first requests of somebody who is expected: a member once', async (round) => {
    const { writers, on, atOnce } = round;
    const newcomer = await tenant.outsider();
    await expectMember(tenant, newcomer.email, await tenant.roleId('viewer'));
    const answers = await atOnce(times(writers, () => on(newcomer).get('/me')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(told(await ground.takeEntries(tenant))).toEqual([`MemberAdded ${newcomer.userId}`]);
    return 'once';
  });
});
