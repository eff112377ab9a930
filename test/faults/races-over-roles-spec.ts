import { beforeAll, describe, expect } from '@jest/globals';
import { type Test } from 'supertest';
import { saveDocument } from '../factories/documents.js';
import { saveFile } from '../factories/files.js';
import { setMemberRole, roleIdOf, saveRole } from '../factories/roles.js';
import { type Actor } from '../support/actor.js';
import { expectProblem } from '../support/expect-problem.js';
import { type TestTenant } from '../support/tenant.js';
import {
  RaceFixture,
  expectOneSuccess,
  expectSuccessOr,
  followNames,
  idOf,
  isSuccess,
  orderOf,
  times,
  auditLines,
} from './support/race-fixture.js';

describe('Concurrent changes of rights', () => {
  const fixture = new RaceFixture(3);
  let tenant: TestTenant;
  let people: Actor[];
  let fileId: string;
  beforeAll(async () => {
    ({ tenant, people } = fixture);
    fileId = (await saveFile(tenant, people[0]!)).id;
  });

  const activeGrants = async (subjectId: string) =>
    (
      await fixture.service.query(
        'SELECT FROM access_grants WHERE tenant_id = $1 AND subject_id = $2 AND revoked_at IS NULL',
        [tenant.id, subjectId],
      )
    ).length;
  const grant = (actor: Actor, subjectType: 'User' | 'Role', subjectId: string) =>
    actor.post('/access-grants', {
      subjectType,
      subjectId,
      targetType: 'File',
      targetId: fileId,
      level: 'Read',
    });

  fixture.race(
    'that delete a role and assign it: only one of both succeeds',
    async ({ number, random, writers, anyone, concurrently }) => {
      const { id: roleId } = await saveRole(tenant, ['files.read'], `Given ${number}`);
      const member = await tenant.as('guest');
      const ways: [action: string, send: (n: number) => Test][] = [
        ['MemberRoleChanged', () => anyone().put(`/members/${member.userId}`, { roleId })],
        [
          'MemberAdded',
          (n) =>
            anyone().post('/members', {
              issuer: fixture.service.issuer.url,
              subject: `given-${number}-${n}`,
              roleId,
            }),
        ],
        [
          'InvitationCreated',
          (n) => anyone().post('/invitations', { email: `given-${number}-${n}@people.example`, roleId }),
        ],
        ['AccessGranted', () => grant(anyone(), 'Role', roleId)],
      ];
      // Grants do not prevent the deletion of a role. The role of the one member can change only once.
      const isGrants = number % 3 === 0;
      const sent = times(writers - 1, (n) => ways[isGrants ? 3 : n === 0 ? 0 : random.between(1, 3)]!);
      const answers = await concurrently([
        anyone().delete(`/roles/${roleId}`),
        ...sent.map(([, send], n) => send(n)),
      ]);
      const [deleted, ...given] = answers;
      const entries = await fixture.takeAuditEntries();
      const acknowledged = given.flatMap((answer, n) =>
        isSuccess(answer) ? [`${sent[n]![0]} ${idOf(answer)}`] : [],
      );
      for (const answer of given.filter((one) => !isSuccess(one))) expectProblem(answer, 'request.invalid');
      const granted = given.filter((answer, n) => isSuccess(answer) && sent[n]![0] === 'AccessGranted');
      if (isSuccess(deleted)) {
        // Only grants can precede the deletion, and they ended with the role.
        expect(acknowledged).toHaveLength(granted.length);
        expect(auditLines(entries)).toEqual(
          [
            `RoleDeleted ${roleId}`,
            ...acknowledged,
            ...granted.map((answer) => `AccessRevoked ${idOf(answer)}`),
          ].sort(),
        );
        expect(await activeGrants(roleId)).toBe(0);
        expect(await roleIdOf(tenant, member)).not.toBe(roleId);
        return 'deleted';
      }
      expectProblem(deleted, 'role.in-use');
      expect(given.filter((answer) => !isSuccess(answer))).toEqual([]);
      expect(auditLines(entries)).toEqual(acknowledged.sort());
      expect(await activeGrants(roleId)).toBe(granted.length);
      return 'in use';
    },
  );

  fixture.race(
    'that change and delete a role: one after the other',
    async ({ number, writers, anyone, concurrently }) => {
      const name = `changed-${number}`;
      const { id } = await saveRole(tenant, ['files.read'], name);
      const [deleted, ...changes] = await concurrently([
        anyone().delete(`/roles/${id}`),
        ...times(writers - 1, (n) =>
          anyone().put(`/roles/${id}`, {
            name: `${name}-${n}`,
            permissions: ['tags.read'],
          }),
        ),
      ]);
      expect(deleted.status).toBe(204);
      expectSuccessOr(changes, 'resource.not-found');
      const entries = await fixture.takeAuditEntries();
      const done = changes.filter(isSuccess);
      expect(auditLines(entries)).toEqual(
        [`RoleDeleted ${id}`, ...done.map(() => `RoleUpdated ${id}`)].sort(),
      );
      const last = followNames(
        entries.filter(({ action }) => action === 'RoleUpdated'),
        name,
      );
      expect(entries.find(({ action }) => action === 'RoleDeleted')?.summary).toBe(last);
      return orderOf(changes, 'deleted');
    },
  );

  fixture.race(
    'of the role of one member: one after the other',
    async ({ number, writers, anyone, concurrently }) => {
      const { id: first } = await saveRole(tenant, ['tags.read'], `r-${number}`);
      const member = await tenant.as('guest');
      await setMemberRole(tenant, member, first);
      const roles: { id: string; name: string }[] = [];
      for (let n = 0; n < writers; n += 1)
        roles.push(await saveRole(tenant, ['tags.read'], `r-${number}-${n}`));
      const answers = await concurrently(
        roles.map(({ id }) => anyone().put(`/members/${member.userId}`, { roleId: id })),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      const entries = (await fixture.takeAuditEntries()).map((entry) => ({
        ...entry,
        summary: entry.summary?.replace(/^.*: /, '') ?? null,
      }));
      const last = followNames(entries, `r-${number}`);
      expect(roles.find(({ name }) => name === last)?.id).toBe(await roleIdOf(tenant, member));
      return 'all';
    },
  );

  fixture.race(
    'that remove all administrators: one administrator stays',
    async ({ random, writers, onAnyInstance, concurrently }) => {
      const place = await fixture.service.tenant();
      const { id: less } = await saveRole(place, [], 'Less');
      const administrators: { actor: Actor; roleId: string }[] = [];
      for (let n = 0; n < writers; n += 1) {
        const { id: roleId } = await saveRole(place, ['roles.manage', 'members.manage']);
        const actor = await place.as('guest');
        await setMemberRole(place, actor, roleId);
        administrators.push({ actor, roleId });
      }
      const ways: ((administrator: { actor: Actor; roleId: string }) => [string, Test])[] = [
        ({ actor }) => [
          `MemberRemoved ${actor.userId}`,
          onAnyInstance(actor).delete(`/members/${actor.userId}`),
        ],
        ({ actor }) => [
          `MemberRoleChanged ${actor.userId}`,
          onAnyInstance(actor).put(`/members/${actor.userId}`, { roleId: less }),
        ],
        ({ actor, roleId }) => [
          `RoleUpdated ${roleId}`,
          onAnyInstance(actor).put(`/roles/${roleId}`, { name: `Former ${roleId}`, permissions: [] }),
        ],
      ];
      const going = administrators.map((administrator) => random.pick(ways)(administrator));
      const answers = await concurrently(going.map(([, test]) => test));
      const stayed = answers.filter((answer) => !isSuccess(answer));
      expect(stayed).toHaveLength(1);
      expectProblem(stayed[0]!, 'member.last-administrator');
      expect(await fixture.takeAuditLines(place)).toEqual(
        going.flatMap(([entry], n) => (isSuccess(answers[n]!) ? [entry] : [])).sort(),
      );
      const left = await fixture.service.query(
        `SELECT FROM members m JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
        WHERE m.tenant_id = $1 AND r.permissions @> '{roles.manage,members.manage}'`,
        [place.id],
      );
      expect(left).toHaveLength(1);
      return 'one stayed';
    },
  );

  fixture.race(
    'that remove a member and grant access to that member',
    async ({ random, writers, anyone, concurrently }) => {
      const member = await tenant.as('guest');
      const { userId } = member;
      const { id: documentId } = await saveDocument(tenant, people[0]!, { confidentialTo: people });
      const isGrant = times(writers - 1, () => random.next() < 0.5);
      const [removed, ...given] = await concurrently([
        anyone().delete(`/members/${userId}`),
        ...isGrant.map((one) => {
          const actor = anyone();
          return one
            ? grant(actor, 'User', userId)
            : actor.put(`/documents/${documentId}/confidential-access/${userId}`);
        }),
      ]);
      expect(removed.status).toBe(204);
      expectSuccessOr(given, 'request.invalid', 'resource.not-found');
      const granted = given.filter((answer, n) => isGrant[n] && isSuccess(answer));
      const isListed = given.some((answer, n) => !isGrant[n] && isSuccess(answer));
      expect(await fixture.takeAuditLines()).toEqual(
        [
          `MemberRemoved ${userId}`,
          ...granted.flatMap((answer) => [`AccessGranted ${idOf(answer)}`, `AccessRevoked ${idOf(answer)}`]),
          ...(isListed
            ? [`ConfidentialUserAdded ${documentId}`, `ConfidentialUserRemoved ${documentId}`]
            : []),
        ].sort(),
      );
      expect(await activeGrants(userId)).toBe(0);
      const places = await fixture.service.query(
        'SELECT FROM document_confidential_users WHERE tenant_id = $1 AND user_id = $2',
        [tenant.id, userId],
      );
      expect(places).toEqual([]);
      return orderOf(given, 'removed');
    },
  );

  fixture.race(
    'that remove a member who saves views: no view is left',
    async ({ writers, onAnyInstance, anyone, concurrently }) => {
      const member = await tenant.as('viewer');
      const [removed, ...saved] = await concurrently([
        anyone().delete(`/members/${member.userId}`),
        ...times(writers - 1, (n) => onAnyInstance(member).post('/saved-views', { name: `Ansicht ${n}` })),
      ]);
      expect(removed.status).toBe(204);
      expectSuccessOr(saved, 'tenant.no-access');
      const made = saved.filter(isSuccess).map(idOf);
      expect(await fixture.takeAuditLines()).toEqual(
        [
          `MemberRemoved ${member.userId}`,
          ...made.flatMap((id) => [`SavedViewCreated ${id}`, `SavedViewDeleted ${id}`]),
        ].sort(),
      );
      expect((await fixture.ids('saved_views')).size).toBe(0);
      return orderOf(saved, 'removed');
    },
  );

  fixture.race('that revoke a grant or remove its member: the grant ends once', async (round) => {
    const { writers, concurrently, anyone, number } = round;
    const member = await tenant.as('guest');
    const id = idOf(await grant(people[0]!, 'User', member.userId));
    await fixture.takeAuditEntries();
    const withMember = number % 2 === 0;
    const answers = await concurrently([
      ...times(writers, () => anyone().delete(`/access-grants/${id}`)),
      ...(withMember ? [anyone().delete(`/members/${member.userId}`)] : []),
    ]);
    const revokes = answers.slice(0, writers);
    expectSuccessOr(revokes, 'access-grant.ended');
    const entries = await fixture.takeAuditLines();
    if (withMember) {
      expect(answers.at(-1)?.status).toBe(204);
      expect(entries).toEqual([`AccessRevoked ${id}`, `MemberRemoved ${member.userId}`]);
      return revokes.some(isSuccess) ? 'revoked' : 'ended with the member';
    }
    expectOneSuccess(revokes, 'access-grant.ended');
    expect(entries).toEqual([`AccessRevoked ${id}`]);
    return 'revoked';
  });

  fixture.race(
    'that remove all users from a access list: one user stays',
    async ({ writers, anyone, concurrently }) => {
      const listed: Actor[] = [];
      for (let n = 0; n < writers; n += 1) listed.push(await tenant.as('guest'));
      const { id } = await saveDocument(tenant, people[0]!, { confidentialTo: listed });
      const answers = await concurrently(
        listed.map(({ userId }) => anyone().delete(`/documents/${id}/confidential-access/${userId}`)),
      );
      expectSuccessOr(answers, 'confidentiality.last-user');
      expect(answers.filter(isSuccess)).toHaveLength(writers - 1);
      expect(await fixture.takeAuditLines()).toEqual(
        times(writers - 1, () => `ConfidentialUserRemoved ${id}`),
      );
      const left = await fixture.ids('document_confidential_users', 'user_id');
      expect(listed.filter(({ userId }) => left.has(userId))).toEqual([
        listed[answers.findIndex((answer) => !isSuccess(answer))],
      ]);
      return 'one stayed';
    },
  );

  fixture.race('do not make reads fail', async ({ number, writers, onAnyInstance, anyone, concurrently }) => {
    const roleIds: string[] = [];
    for (let n = 0; n < 4; n += 1) roleIds.push((await saveRole(tenant, [], `Busy ${number}-${n}`)).id);
    const guest = await tenant.as('guest');
    await grant(people[0]!, 'User', guest.userId).expect(201);
    let areReading = true;
    const change = (id: string) => async () => {
      for (let n = 0; areReading; n += 1)
        await anyone()
          .put(`/roles/${id}`, { name: `${id} ${n}`, permissions: [] })
          .expect(200);
    };
    const changing = Promise.all(roleIds.map((id) => change(id)()));
    const readings = times(writers, (n) => onAnyInstance(n % 2 ? guest : people[0]!));
    const answers = await concurrently(
      readings.flatMap((actor) => [actor.get('/files'), actor.get(`/files/${fileId}`)]),
    ).finally(() => (areReading = false));
    await changing;
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    await fixture.takeAuditEntries();
    return 'all read';
  });
});
