import { beforeAll, describe, expect } from '@jest/globals';
import { type Test } from 'supertest';
import { saveInvitation } from '../factories/invitations.js';
import { saveExpectedMember, roleIdOf, saveRole } from '../factories/roles.js';
import { type Actor } from '../support/actor.js';
import { expectProblem } from '../support/expect-problem.js';
import { type TestTenant } from '../support/tenant.js';
import {
  RaceFixture,
  expectOneSuccess,
  expectSuccessOr,
  idOf,
  isSuccess,
  times,
} from './support/race-fixture.js';

describe('Concurrent requests about one invitation', () => {
  const fixture = new RaceFixture(2);
  let tenant: TestTenant;
  let people: Actor[];
  beforeAll(() => {
    ({ tenant, people } = fixture);
  });

  const statusOf = async (id: string) => {
    const [row] = await fixture.service.query<{ status: string }>(
      'SELECT status FROM invitations WHERE tenant_id = $1 AND id = $2',
      [tenant.id, id],
    );
    return row?.status ?? '';
  };

  fixture.race(
    'that accept, decline and revoke it: exactly one kind succeeds',
    async ({ random, writers, onAnyInstance, anyone, concurrently }) => {
      const newcomer = await tenant.nonMember();
      // Create the user in both instances first; otherwise the revocation would almost always win.
      for (const known of [newcomer, fixture.second.actor(newcomer)]) {
        expect((await known.get('/me')).status).toBe(404);
      }
      const { id, secret } = await saveInvitation(tenant, people[0]!, { email: newcomer.email });
      const ways: Record<string, { send: () => Test; lost: 'resource.not-found' | 'invitation.ended' }> = {
        Accepted: {
          send: () => onAnyInstance(newcomer).post('/invitations/accept', { secret }),
          lost: 'resource.not-found',
        },
        Declined: {
          send: () => onAnyInstance(newcomer).post('/invitations/decline', { secret }),
          lost: 'resource.not-found',
        },
        Revoked: {
          send: () => anyone().delete(`/invitations/${id}`),
          lost: 'invitation.ended',
        },
      };
      const sent = times(writers, (n) =>
        n === 0 ? 'Revoked' : random.pick(['Accepted', 'Accepted', 'Declined']),
      );
      const answers = await concurrently(sent.map((way) => ways[way]!.send()));
      for (const [n, answer] of answers.entries()) {
        if (!isSuccess(answer)) expectProblem(answer, ways[sent[n]!]!.lost);
      }
      const won = sent.filter((_, n) => isSuccess(answers[n]!));
      expect(won).toEqual([await statusOf(id)]);
      const isMember = won[0] === 'Accepted';
      expect(await fixture.takeAuditLines()).toEqual([
        `Invitation${won[0]} ${id}`,
        ...(isMember ? [`MemberAdded ${newcomer.userId}`] : []),
      ]);
      expect((await onAnyInstance(newcomer).get('/notifications')).status).toBe(isMember ? 200 : 403);
      return won[0]!;
    },
  );

  fixture.race('that accept it and add the same user as a member: one membership', async (round) => {
    const { random, writers, onAnyInstance, anyone, concurrently } = round;
    const newcomer = await tenant.nonMember();
    const { id, secret } = await saveInvitation(tenant, people[0]!, { email: newcomer.email });
    const member = { issuer: fixture.service.issuer.url, subject: newcomer.subject };
    const roleId = await tenant.roleId('guest');
    const accepts = random.between(1, writers - 1);
    const answers = await concurrently([
      ...times(accepts, () => onAnyInstance(newcomer).post('/invitations/accept', { secret })),
      ...times(writers - accepts, () => anyone().post('/members', { ...member, roleId })),
    ]);
    // Accepting a used invitation is a 404; adding an existing member is a 409.
    const winner = expectOneSuccess(answers, 'member.exists', 'resource.not-found');
    const isAccepted = answers.indexOf(winner) < accepts;
    expect(await statusOf(id)).toBe(isAccepted ? 'Accepted' : 'Pending');
    expect(await roleIdOf(tenant, newcomer)).toBe(isAccepted ? await tenant.roleId('viewer') : roleId);
    expect(await fixture.takeAuditLines()).toEqual([
      ...(isAccepted ? [`InvitationAccepted ${id}`] : []),
      `MemberAdded ${newcomer.userId}`,
    ]);
    return isAccepted ? 'accepted' : 'added';
  });

  fixture.race('that accept it and invite the same address again: no second invitation', async (round) => {
    const { writers, onAnyInstance, anyone, concurrently } = round;
    const newcomer = await tenant.nonMember();
    const { id, secret } = await saveInvitation(tenant, people[0]!, { email: newcomer.email });
    const roleId = await tenant.roleId('guest');
    const [accepted, ...invited] = await concurrently([
      onAnyInstance(newcomer).post('/invitations/accept', { secret }),
      ...times(writers - 1, () =>
        anyone().post('/invitations', {
          email: newcomer.email.toUpperCase(),
          roleId,
        }),
      ),
    ]);
    expect(accepted.status).toBe(200);
    for (const answer of invited) expectProblem(answer, 'invitation.exists');
    expect(await fixture.takeAuditLines()).toEqual([
      `InvitationAccepted ${id}`,
      `MemberAdded ${newcomer.userId}`,
    ]);
    return 'accepted';
  });

  fixture.race(
    'that revoke it and invite the same address again: at most one new invitation',
    async (round) => {
      const { writers, concurrently, anyone, number } = round;
      const email = `again-${number}@people.example`;
      const { id } = await saveInvitation(tenant, people[0]!, { email });
      const roleId = await tenant.roleId('guest');
      const [revoked, ...invited] = await concurrently([
        anyone().delete(`/invitations/${id}`),
        ...times(writers - 1, () => anyone().post('/invitations', { email, roleId })),
      ]);
      expect(revoked.status).toBe(204);
      expectSuccessOr(invited, 'invitation.exists');
      const made = invited.filter(isSuccess).map(idOf);
      expect(made.length).toBeLessThanOrEqual(1);
      const pending = await fixture.service.query<{ id: string }>(
        `SELECT id FROM invitations WHERE tenant_id = $1 AND email_key = $2 AND status = 'Pending'`,
        [tenant.id, email],
      );
      expect(pending.map((one) => one.id)).toEqual(made);
      expect(await fixture.takeAuditLines()).toEqual(
        [`InvitationRevoked ${id}`, ...made.map((one) => `InvitationCreated ${one}`)].sort(),
      );
      return made.length > 0 ? 'new invitation' : 'no new invitation';
    },
  );

  fixture.race('that answer or revoke it and delete its role', async (round) => {
    const { random, writers, onAnyInstance, anyone, concurrently } = round;
    const newcomer = await tenant.nonMember();
    const role = await saveRole(tenant, ['tags.read']);
    const { id, secret } = await saveInvitation(tenant, people[0]!, {
      email: newcomer.email,
      roleId: role.id,
    });
    const isAccepted = random.next() < 0.3;
    const [answered, ...deletes] = await concurrently([
      isAccepted
        ? onAnyInstance(newcomer).post('/invitations/accept', { secret })
        : anyone().delete(`/invitations/${id}`),
      ...times(writers - 1, () => anyone().delete(`/roles/${role.id}`)),
    ]);
    expect(isSuccess(answered)).toBe(true);
    // 409 while the invitation or a member uses the role; 404 after it was deleted.
    expectSuccessOr(deletes, 'role.in-use', 'resource.not-found');
    const deleted = deletes.filter(isSuccess).length;
    expect(deleted).toBeLessThanOrEqual(isAccepted ? 0 : 1);
    expect((await fixture.ids('roles')).has(role.id)).toBe(deleted === 0);
    expect(await fixture.takeAuditLines()).toEqual([
      isAccepted ? `InvitationAccepted ${id}` : `InvitationRevoked ${id}`,
      ...(isAccepted ? [`MemberAdded ${newcomer.userId}`] : []),
      ...(deleted > 0 ? [`RoleDeleted ${role.id}`] : []),
    ]);
    return isAccepted ? 'accepted' : deleted > 0 ? 'revoked and deleted' : 'revoked';
  });

  fixture.race('that are the first ones of an expected member: one membership', async (round) => {
    const { writers, onAnyInstance, concurrently } = round;
    const newcomer = await tenant.nonMember();
    await saveExpectedMember(tenant, newcomer.email, await tenant.roleId('viewer'));
    const answers = await concurrently(times(writers, () => onAnyInstance(newcomer).get('/me')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await fixture.takeAuditLines()).toEqual([`MemberAdded ${newcomer.userId}`]);
    return 'once';
  });
});
