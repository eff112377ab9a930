import { beforeAll, describe, expect } from '@jest/globals';
import { type Response, type Test } from 'supertest';
import { saveDocument } from '../factories/documents.js';
import { saveFile } from '../factories/files.js';
import { giveRole, roleIdOf, saveRole } from '../factories/roles.js';
import { type Actor } from '../support/actor.js';
import { expectProblem } from '../support/expect-problem.js';
import { type TestTenant } from '../support/tenant.js';
import {
  RaceGround,
  expectOneWinner,
  expectRefused,
  followNames,
  idOf,
  isDone,
  times,
  told,
} from './support/race-ground.js';

describe('Races over who may do what', () => {
  const ground = new RaceGround();
  let tenant: TestTenant;
  let people: Actor[];
  let fileId: string;
  beforeAll(async () => {
    tenant = await ground.service.tenant();
    people = [];
    for (let n = 0; n < 3; n += 1) people.push(await tenant.as('administrator'));
    fileId = (await saveFile(tenant, people[0]!)).id;
  });

  const activeGrants = async (subjectId: string) =>
    (
      await ground.service.query(
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

  ground.race('a role that is given away and deleted', async ({ number, chance, writers, on, atOnce }) => {
    const { id: roleId } = await saveRole(tenant, ['files.read'], `Given ${number}`);
    const member = await tenant.as('guest');
    const someone = () => on(chance.pick(people));
    const ways: [action: string, send: (n: number) => Test][] = [
      ['MemberRoleChanged', () => someone().put(`/members/${member.userId}`, { roleId })],
      [
        'MemberAdded',
        (n) =>
          someone().post('/members', {
            issuer: ground.service.issuer.url,
            subject: `given-${number}-${n}`,
            roleId,
          }),
      ],
      [
        'InvitationCreated',
        (n) => someone().post('/invitations', { email: `given-${number}-${n}@people.example`, roleId }),
      ],
      ['AccessGranted', () => grant(someone(), 'Role', roleId)],
    ];
    // Grants alone do not keep a role. The change of the one member's role can come once only.
    const isGrants = number % 3 === 0;
    const sent = times(writers - 1, (n) => ways[isGrants ? 3 : n === 0 ? 0 : chance.between(1, 3)]!);
    const answers = await atOnce([
      someone().delete(`/roles/${roleId}`),
      ...sent.map(([, send], n) => send(n)),
    ]);
    const [deleted, ...given] = answers as [Response, ...Response[]];
    const entries = await ground.takeEntries(tenant);
    const acknowledged = given.flatMap((answer, n) =>
      isDone(answer) ? [`${sent[n]![0]} ${idOf(answer)}`] : [],
    );
    for (const answer of given.filter((one) => !isDone(one))) expectProblem(answer, 'request.invalid');
    const granted = given.filter((answer, n) => isDone(answer) && sent[n]![0] === 'AccessGranted');
    if (isDone(deleted)) {
      // Only grants can have come before, and they ended with the role.
      expect(acknowledged).toHaveLength(granted.length);
      expect(told(entries)).toEqual(
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
    expect(given.filter((answer) => !isDone(answer))).toEqual([]);
    expect(told(entries)).toEqual(acknowledged.sort());
    expect(await activeGrants(roleId)).toBe(granted.length);
    return 'in use';
  });

  ground.race('a role that is changed and deleted', async ({ number, chance, writers, on, atOnce }) => {
    const name = `changed-${number}`;
    const { id } = await saveRole(tenant, ['files.read'], name);
    const [deleted, ...changes] = (await atOnce([
      on(chance.pick(people)).delete(`/roles/${id}`),
      ...times(writers - 1, (n) =>
        on(chance.pick(people)).put(`/roles/${id}`, { name: `${name}-${n}`, permissions: ['tags.read'] }),
      ),
    ])) as [Response, ...Response[]];
    expect(deleted.status).toBe(204);
    expectRefused(changes, 'resource.not-found');
    const entries = await ground.takeEntries(tenant);
    const done = changes.filter(isDone);
    expect(told(entries)).toEqual([`RoleDeleted ${id}`, ...done.map(() => `RoleUpdated ${id}`)].sort());
    const last = followNames(
      entries.filter(({ action }) => action === 'RoleUpdated'),
      name,
    );
    expect(entries.find(({ action }) => action === 'RoleDeleted')?.summary).toBe(last);
    return done.length === 0
      ? 'deleted first'
      : done.length === changes.length
        ? 'deleted last'
        : 'in between';
  });

  ground.race(
    'the role of one member: one change after the other',
    async ({ number, chance, writers, on, atOnce }) => {
      const { id: first } = await saveRole(tenant, ['tags.read'], `r-${number}`);
      const member = await tenant.as('guest');
      await giveRole(tenant, member, first);
      const roles: { id: string; name: string }[] = [];
      for (let n = 0; n < writers; n += 1)
        roles.push(await saveRole(tenant, ['tags.read'], `r-${number}-${n}`));
      const answers = await atOnce(
        roles.map(({ id }) => on(chance.pick(people)).put(`/members/${member.userId}`, { roleId: id })),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      const entries = (await ground.takeEntries(tenant)).map((entry) => ({
        ...entry,
        summary: entry.summary?.replace(/^.*: /, '') ?? null,
      }));
      const last = followNames(entries, `r-${number}`);
      expect(roles.find(({ name }) => name === last)?.id).toBe(await roleIdOf(tenant, member));
      return 'all';
    },
  );

  ground.race('the last administrators who all go: one stays', async ({ chance, writers, on, atOnce }) => {
    const place = await ground.service.tenant();
    const { id: less } = await saveRole(place, [], 'Less');
    const chiefs: { actor: Actor; roleId: string }[] = [];
    for (let n = 0; n < writers; n += 1) {
      const { id: roleId } = await saveRole(place, ['roles.manage', 'members.manage']);
      const actor = await place.as('guest');
      await giveRole(place, actor, roleId);
      chiefs.push({ actor, roleId });
    }
    const ways: ((chief: { actor: Actor; roleId: string }) => [string, Test])[] = [
      ({ actor }) => [`MemberRemoved ${actor.userId}`, on(actor).delete(`/members/${actor.userId}`)],
      ({ actor }) => [
        `MemberRoleChanged ${actor.userId}`,
        on(actor).put(`/members/${actor.userId}`, { roleId: less }),
      ],
      ({ actor, roleId }) => [
        `RoleUpdated ${roleId}`,
        on(actor).put(`/roles/${roleId}`, { name: `Former ${roleId}`, permissions: [] }),
      ],
    ];
    const going = chiefs.map((chief) => chance.pick(ways)(chief));
    const answers = await atOnce(going.map(([, test]) => test));
    const stayed = answers.filter((answer) => !isDone(answer));
    expect(stayed).toHaveLength(1);
    expectProblem(stayed[0]!, 'member.last-administrator');
    expect(told(await ground.takeEntries(place))).toEqual(
      going.flatMap(([entry], n) => (isDone(answers[n]!) ? [entry] : [])).sort(),
    );
    const left = await ground.service.query(
      `SELECT FROM members m JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
        WHERE m.tenant_id = $1 AND r.permissions @> '{roles.manage,members.manage}'`,
      [place.id],
    );
    expect(left).toHaveLength(1);
    return 'one stayed';
  });

  ground.race('a member who is removed and given access', async ({ chance, writers, on, atOnce }) => {
    const member = await tenant.as('guest');
    const { userId } = member;
    const { id: documentId } = await saveDocument(tenant, people[0]!, { confidentialTo: people });
    const isGrant = times(writers - 1, () => chance.next() < 0.5);
    const [removed, ...given] = (await atOnce([
      on(chance.pick(people)).delete(`/members/${userId}`),
      ...isGrant.map((one) => {
        const actor = on(chance.pick(people));
        return one
          ? grant(actor, 'User', userId)
          : actor.put(`/documents/${documentId}/confidential-access/${userId}`);
      }),
    ])) as [Response, ...Response[]];
    expect(removed.status).toBe(204);
    expectRefused(given, 'request.invalid', 'resource.not-found');
    const granted = given.filter((answer, n) => isGrant[n] && isDone(answer));
    const isListed = given.some((answer, n) => !isGrant[n] && isDone(answer));
    expect(told(await ground.takeEntries(tenant))).toEqual(
      [
        `MemberRemoved ${userId}`,
        ...granted.flatMap((answer) => [`AccessGranted ${idOf(answer)}`, `AccessRevoked ${idOf(answer)}`]),
        ...(isListed ? [`ConfidentialUserAdded ${documentId}`, `ConfidentialUserRemoved ${documentId}`] : []),
      ].sort(),
    );
    expect(await activeGrants(userId)).toBe(0);
    const places = await ground.service.query(
      'SELECT FROM document_confidential_users WHERE tenant_id = $1 AND user_id = $2',
      [tenant.id, userId],
    );
    expect(places).toEqual([]);
    const before = given.filter(isDone).length;
    return before === 0 ? 'removed first' : before === given.length ? 'removed last' : 'in between';
  });

  ground.race(
    'a member who is removed and saves views: none is left',
    async ({ chance, writers, on, atOnce }) => {
      const member = await tenant.as('viewer');
      const [removed, ...saved] = (await atOnce([
        on(chance.pick(people)).delete(`/members/${member.userId}`),
        ...times(writers - 1, (n) => on(member).post('/saved-views', { name: `Ansicht ${n}` })),
      ])) as [Response, ...Response[]];
      expect(removed.status).toBe(204);
      expectRefused(saved, 'tenant.no-access');
      const made = saved.filter(isDone).map(idOf);
      expect(told(await ground.takeEntries(tenant))).toEqual(
        [
          `MemberRemoved ${member.userId}`,
          ...made.flatMap((id) => [`SavedViewCreated ${id}`, `SavedViewDeleted ${id}`]),
        ].sort(),
      );
      expect((await ground.ids(tenant, 'saved_views')).size).toBe(0);
      return made.length === 0
        ? 'removed first'
        : made.length === saved.length
          ? 'removed last'
          : 'in between';
    },
  );

  ground.race('a grant that several revoke, one with its member: it ends once', async (round) => {
    const { chance, writers, on, atOnce, number } = round;
    const member = await tenant.as('guest');
    const id = idOf(await grant(people[0]!, 'User', member.userId));
    await ground.takeEntries(tenant);
    const withMember = number % 2 === 0;
    const answers = await atOnce([
      ...times(writers, () => on(chance.pick(people)).delete(`/access-grants/${id}`)),
      ...(withMember ? [on(chance.pick(people)).delete(`/members/${member.userId}`)] : []),
    ]);
    const revokes = answers.slice(0, writers);
    expectRefused(revokes, 'access-grant.ended');
    const entries = told(await ground.takeEntries(tenant));
    if (withMember) {
      expect(answers.at(-1)?.status).toBe(204);
      expect(entries).toEqual([`AccessRevoked ${id}`, `MemberRemoved ${member.userId}`]);
      return revokes.some(isDone) ? 'revoked' : 'ended with the member';
    }
    expectOneWinner(revokes, 'access-grant.ended');
    expect(entries).toEqual([`AccessRevoked ${id}`]);
    return 'revoked';
  });

  ground.race(
    'all users of a confidentiality list taken off it: one stays',
    async ({ chance, writers, on, atOnce }) => {
      const listed: Actor[] = [];
      for (let n = 0; n < writers; n += 1) listed.push(await tenant.as('guest'));
      const { id } = await saveDocument(tenant, people[0]!, { confidentialTo: listed });
      const answers = await atOnce(
        listed.map(({ userId }) =>
          on(chance.pick(people)).delete(`/documents/${id}/confidential-access/${userId}`),
        ),
      );
      expectRefused(answers, 'confidentiality.last-user');
      expect(answers.filter(isDone)).toHaveLength(writers - 1);
      expect(told(await ground.takeEntries(tenant))).toEqual(
        times(writers - 1, () => `ConfidentialUserRemoved ${id}`),
      );
      const left = await ground.ids(tenant, 'document_confidential_users', 'user_id');
      expect(listed.filter(({ userId }) => left.has(userId))).toEqual([
        listed[answers.findIndex((answer) => !isDone(answer))],
      ]);
      return 'one stayed';
    },
  );

  ground.race(
    'reading while who may do what changes all the time',
    async ({ number, chance, writers, on, atOnce }) => {
      const roleIds: string[] = [];
      for (let n = 0; n < 4; n += 1) roleIds.push((await saveRole(tenant, [], `Busy ${number}-${n}`)).id);
      const guest = await tenant.as('guest');
      await grant(people[0]!, 'User', guest.userId).expect(201);
      let areReading = true;
      const change = (id: string) => async () => {
        for (let n = 0; areReading; n += 1)
          await on(chance.pick(people))
            .put(`/roles/${id}`, { name: `${id} ${n}`, permissions: [] })
            .expect(200);
      };
      const changing = Promise.all(roleIds.map((id) => change(id)()));
      const readings = times(writers, (n) => on(n % 2 ? guest : people[0]!));
      const answers = await atOnce(
        readings.flatMap((actor) => [actor.get('/files'), actor.get(`/files/${fileId}`)]),
      ).finally(() => (areReading = false));
      await changing;
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      await ground.takeEntries(tenant);
      return 'all read';
    },
  );
});
