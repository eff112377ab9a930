import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Response, type Test } from 'supertest';
import { ALL_PERMISSIONS, type Permission } from '../../../src/common/vocabulary/permissions.js';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveDocument } from '../../factories/documents.js';
import { saveFile, saveFileType } from '../../factories/files.js';
import { setMemberRole, roleIdOf, saveRole } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';
import { everyNth } from '../support/case-selection.js';

// Many requests in a case: where the machine has much else to do, they take their time.
jest.setTimeout(600_000);

/** Somebody who reaches for a permission, and what there is to reach for. */
interface EscalationFixture {
  readonly permission: Permission;
  readonly attacker: Actor;
  /** Role of the attacker, and what it allows. */
  readonly own: { readonly id: string; readonly permissions: readonly Permission[] };
  /** A role that allows nothing, and somebody who has it. */
  readonly emptyRole: string;
  readonly weakerMember: Actor;
  /** Somebody whose role allows the permission permission only. */
  readonly strongerMember: Actor;
  /** As much again, which nobody has. */
  readonly unusedRole: string;
}

interface Escalation {
  /** What one needs to go it at all. */
  readonly needs: Permission;
  readonly send: (fixture: EscalationFixture) => Test;
}

let names = 0;
const newName = () => `Name ${(names += 1)}`;

/** Every way to a permission that leads over roles, members and invitations. */
const ESCALATIONS: Readonly<Record<string, Escalation>> = {
  'makes a role with it': {
    needs: 'roles.manage',
    send: ({ attacker, permission }) =>
      attacker.post('/roles', { name: newName(), permissions: [permission] }),
  },
  'adds it to their own role': {
    needs: 'roles.manage',
    send: ({ attacker, own, permission }) =>
      attacker.put(`/roles/${own.id}`, {
        name: newName(),
        permissions: [...new Set([...own.permissions, permission])],
      }),
  },
  'adds it to the role of others': {
    needs: 'roles.manage',
    send: ({ attacker, emptyRole, permission }) =>
      attacker.put(`/roles/${emptyRole}`, { name: newName(), permissions: [permission] }),
  },
  'takes it out of a role': {
    needs: 'roles.manage',
    send: ({ attacker, unusedRole }) =>
      attacker.put(`/roles/${unusedRole}`, { name: newName(), permissions: [] }),
  },
  'renames a role with it': {
    needs: 'roles.manage',
    send: ({ attacker, unusedRole }) => attacker.put(`/roles/${unusedRole}`, { name: newName() }),
  },
  'deletes a role with it': {
    needs: 'roles.manage',
    send: ({ attacker, unusedRole }) => attacker.delete(`/roles/${unusedRole}`),
  },
  'gives themselves a role with it': {
    needs: 'members.manage',
    send: ({ attacker, unusedRole }) => attacker.put(`/members/${attacker.userId}`, { roleId: unusedRole }),
  },
  'gives somebody else a role with it': {
    needs: 'members.manage',
    send: ({ attacker, weakerMember, unusedRole }) =>
      attacker.put(`/members/${weakerMember.userId}`, { roleId: unusedRole }),
  },
  'takes such a role from somebody': {
    needs: 'members.manage',
    send: ({ attacker, strongerMember, emptyRole }) =>
      attacker.put(`/members/${strongerMember.userId}`, { roleId: emptyRole }),
  },
  'removes somebody who holds it': {
    needs: 'members.manage',
    send: ({ attacker, strongerMember }) => attacker.delete(`/members/${strongerMember.userId}`),
  },
  'makes somebody a member who then holds it': {
    needs: 'members.manage',
    send: ({ attacker, unusedRole }) => {
      const issuer = attacker.tenant.service.issuer.url;
      return attacker.post('/members', { issuer, subject: randomUUID(), roleId: unusedRole });
    },
  },
  'invites to a role with it': {
    needs: 'invitations.manage',
    send: ({ attacker, unusedRole }) =>
      attacker.post('/invitations', { email: `${randomUUID()}@people.example`, roleId: unusedRole }),
  },
};

/** What a grant of the level lets somebody do. */
const PERMISSIONS_OF_LEVEL: Readonly<Record<'Read' | 'Write', readonly Permission[]>> = {
  Read: ['files.read'],
  Write: ['files.read', 'files.update', 'documents.create', 'documents.update', 'documents.file'],
};

/** What one needs to see a document that one is on the list of. */
const SIGHT: readonly Permission[] = ['documents.read', 'files.read'];

/** `npm test` tries one of so many ways with each permission, and the next one with the next permission. */
const STEP = 4;
const TURNS = ALL_PERMISSIONS.map((permission, turn) => [permission, turn] as const);

describe('For each permission, nobody who lacks it', () => {
  let service: TestService;
  let tenant: TestTenant;
  let administrator: Actor;
  beforeAll(async () => {
    service = await TestService.shared();
    tenant = await service.tenant();
    // Whoever else goes, somebody can always manage roles and members.
    administrator = await tenant.as('administrator');
  });

  const but = (...without: Permission[]) => ALL_PERMISSIONS.filter((one) => !without.includes(one));

  async function prepare(
    permission: Permission,
    permissions: readonly Permission[],
  ): Promise<EscalationFixture> {
    const [attacker, weakerMember, strongerMember, unusedRole] = await Promise.all([
      tenant.with(...permissions),
      tenant.with(),
      tenant.with(permission),
      saveRole(tenant, [permission], newName()),
    ]);
    const [own, emptyRole] = await Promise.all([roleIdOf(tenant, attacker), roleIdOf(tenant, weakerMember)]);
    return {
      ...{ permission, attacker, weakerMember, strongerMember },
      own: { id: own ?? '', permissions },
      emptyRole: emptyRole ?? '',
      unusedRole: unusedRole.id,
    };
  }

  it.each(ALL_PERMISSIONS)('403: gets at %s, or at those who have it', async (permission) => {
    const fixture = await prepare(permission, but(permission));
    const before = await tenant.fingerprint();
    await Promise.all(
      Object.values(ESCALATIONS).map(async ({ needs, send }) =>
        expectProblem(
          await send(fixture),
          needs === permission ? 'permission.missing' : 'permission.escalation',
        ),
      ),
    );
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it.each(TURNS)('2xx: which these ways are open to who holds little but %s', async (permission, turn) => {
    await Promise.all(
      everyNth(Object.entries(ESCALATIONS), turn, STEP).map(async ([name, { needs, send }]) => {
        const response = await send(await prepare(permission, [...new Set([needs, permission])]));
        expect({ name, answer: Math.floor(response.status / 100) }).toEqual({ name, answer: 2 });
      }),
    );
  });

  describe.each(['Read', 'Write'] as const)('grants access to %s', (level) => {
    const part: readonly Permission[] = ['accessGrants.manage', ...PERMISSIONS_OF_LEVEL[level]];
    let file: { id: string; fileTypeId: string };
    let guest: Actor;
    beforeAll(async () => {
      file = await saveFile(tenant, administrator);
      guest = await tenant.as('guest');
    });

    const grant = async (attacker: Actor, reader: Actor, target: Record<string, string>): Promise<Response> =>
      attacker.post('/access-grants', { subjectType: 'User', subjectId: reader.userId, level, ...target });

    /** A member with all permissions but one, and each way to grant access to themselves or to a guest. */
    async function grantsWithout(permission: Permission): Promise<(() => Promise<Response>)[]> {
      const attacker = await tenant.with(...but(permission));
      // What was granted is not handed on, be it to oneself.
      await saveAccessGrant(tenant, attacker, { file: file.id }, { level: 'Write' });
      const targets = [
        { targetType: 'File', targetId: file.id },
        { targetType: 'FileType', targetId: file.fileTypeId },
      ];
      return [attacker, guest].flatMap((reader) =>
        targets.map((target) => () => grant(attacker, reader, target)),
      );
    }

    it.each(part)('403: without %s', async (permission) => {
      const code = permission === 'accessGrants.manage' ? 'permission.missing' : 'permission.escalation';
      const grants = await grantsWithout(permission);
      const before = await tenant.fingerprint();
      await Promise.all(grants.map(async (send) => expectProblem(await send(), code)));
      expect(await tenant.fingerprint()).toEqual(before);
    });

    it.each(TURNS.filter(([permission]) => !part.includes(permission)))(
      '201: without %s, which is no part of that',
      async (permission, turn) => {
        for (const send of everyNth(await grantsWithout(permission), turn, STEP))
          expect((await send()).status).toBe(201);
      },
    );

    it('403: with what somebody is left with who held it a moment ago', async () => {
      const attacker = await tenant.with('accessGrants.manage', ...PERMISSIONS_OF_LEVEL[level]);
      const target = { targetType: 'FileType', targetId: (await saveFileType(tenant)).id };
      expect((await grant(attacker, guest, target)).status).toBe(201);
      const left = await saveRole(
        tenant,
        ['accessGrants.manage', ...PERMISSIONS_OF_LEVEL[level].slice(1)],
        newName(),
      );
      await setMemberRole(tenant, attacker, left.id);
      expectProblem(await grant(attacker, guest, target), 'permission.escalation');
    });
  });

  describe('switches confidentiality off, or on', () => {
    let listed: Actor;
    beforeAll(async () => {
      // A tenant without what the cases above have left: its fingerprint takes less time.
      tenant = await service.tenant();
      listed = await tenant.as('editor');
    });

    const change = (attacker: Actor, id: string, isConfidential: boolean) =>
      attacker.put(`/documents/${id}/confidentiality`, { isConfidential });

    it.each(ALL_PERMISSIONS)('404 or 403: off the list, with all but %s', async (permission) => {
      const attacker = await tenant.with(...but(permission));
      const { id } = await saveDocument(tenant, listed, { confidentialTo: [listed] });
      const own = await saveDocument(tenant, attacker, { confidentialTo: [listed] });
      const code =
        permission === 'documents.confidential.manage' ? 'permission.missing' : 'resource.not-found';
      const before = await tenant.fingerprint();
      await Promise.all(
        [id, own.id, randomUUID()].flatMap((document) =>
          [false, true].map(async (is) => expectProblem(await change(attacker, document, is), code)),
        ),
      );
      expect(await tenant.fingerprint()).toEqual(before);
    });

    it.each(ALL_PERMISSIONS)('403: on the list, with little but %s', async (permission) => {
      const attacker = await tenant.with(...new Set([...SIGHT, permission]));
      const [others, own] = await Promise.all(
        [listed, attacker].map((maker) =>
          saveDocument(tenant, maker, { confidentialTo: [listed, attacker] }),
        ),
      );
      for (const [document, enough] of [
        [others, ['documents.confidential.manage']],
        [own, ['documents.confidential.manage', 'documents.update']],
      ] as const) {
        const response = await change(attacker, document?.id ?? '', false);
        if ((enough as readonly string[]).includes(permission)) expect(response.status).toBe(200);
        else expectProblem(response, 'permission.missing');
      }
    });
  });
});
