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
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { everyNth } from '../support/case-selection.js';

// Each test sends many requests, which take minutes on a busy machine.
jest.setTimeout(600_000);

/** An attacker who lacks a permission, and the roles and members that could give it. */
interface EscalationFixture {
  readonly permission: Permission;
  readonly attacker: Actor;
  /** The attacker's role. */
  readonly own: { readonly id: string; readonly permissions: readonly Permission[] };
  /** A role without permissions, and a member with this role. */
  readonly emptyRole: string;
  readonly weakerMember: Actor;
  /** A member whose role has only the permission. */
  readonly strongerMember: Actor;
  /** A role with only the permission that no member has. */
  readonly unusedRole: string;
}

interface Escalation {
  /** The permission that the operation itself requires. */
  readonly needs: Permission;
  readonly send: (fixture: EscalationFixture) => Test;
}

let names = 0;
const newName = () => `Name ${(names += 1)}`;

/** All changes of roles, members and invitations that give or take a permission. */
const ESCALATIONS: Readonly<Record<string, Escalation>> = {
  'creates a role with it': {
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
  'removes it from a role': {
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
  'gives another member a role with it': {
    needs: 'members.manage',
    send: ({ attacker, weakerMember, unusedRole }) =>
      attacker.put(`/members/${weakerMember.userId}`, { roleId: unusedRole }),
  },
  'takes a role with it from a member': {
    needs: 'members.manage',
    send: ({ attacker, strongerMember, emptyRole }) =>
      attacker.put(`/members/${strongerMember.userId}`, { roleId: emptyRole }),
  },
  'removes a member who holds it': {
    needs: 'members.manage',
    send: ({ attacker, strongerMember }) => attacker.delete(`/members/${strongerMember.userId}`),
  },
  'adds a member who then holds it': {
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

const PERMISSIONS_OF_LEVEL: Readonly<Record<'Read' | 'Write', readonly Permission[]>> = {
  Read: ['files.read'],
  Write: ['files.read', 'files.update', 'documents.create', 'documents.update', 'documents.file'],
};

/** The permissions that the tests need to read a document as a user on its access list. */
const READ_PERMISSIONS: readonly Permission[] = ['documents.read', 'files.read'];

/** `npm test` tries every fourth escalation with each permission, starting at another one each time. */
const STEP = 4;
const TURNS = ALL_PERMISSIONS.map((permission, turn) => [permission, turn] as const);

describe('Privilege escalation by permission', () => {
  let tenant: TestTenant;
  let administrator: Actor;
  beforeAll(async () => {
    tenant = await service.tenant();
    // An administrator who stays, because the last one cannot be removed.
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

  it.each(ALL_PERMISSIONS)(
    'returns 403 without %s to every change that gives or takes it',
    async (permission) => {
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
    },
  );

  it.each(TURNS)(
    'accepts these changes from a member with %s and the permission of the operation',
    async (permission, turn) => {
      await Promise.all(
        everyNth(Object.entries(ESCALATIONS), turn, STEP).map(async ([name, { needs, send }]) => {
          const response = await send(await prepare(permission, [...new Set([needs, permission])]));
          expect({ name, answer: Math.floor(response.status / 100) }).toEqual({ name, answer: 2 });
        }),
      );
    },
  );

  describe.each(['Read', 'Write'] as const)('through a %s grant', (level) => {
    const part: readonly Permission[] = ['accessGrants.manage', ...PERMISSIONS_OF_LEVEL[level]];
    let file: { id: string; fileTypeId: string };
    let guest: Actor;
    beforeAll(async () => {
      file = await saveFile(tenant, administrator);
      guest = await tenant.as('guest');
    });

    const grant = async (attacker: Actor, reader: Actor, target: Record<string, string>): Promise<Response> =>
      attacker.post('/access-grants', { subjectType: 'User', subjectId: reader.userId, level, ...target });

    /** Requests of a member without one permission that grant access to the member or to a guest. */
    async function grantsWithout(permission: Permission): Promise<(() => Promise<Response>)[]> {
      const attacker = await tenant.with(...but(permission));
      // A Write grant does not entitle the member to grant access.
      await saveAccessGrant(tenant, attacker, { file: file.id }, { level: 'Write' });
      const targets = [
        { targetType: 'File', targetId: file.id },
        { targetType: 'FileType', targetId: file.fileTypeId },
      ];
      return [attacker, guest].flatMap((reader) =>
        targets.map((target) => () => grant(attacker, reader, target)),
      );
    }

    it.each(part)('returns 403 without %s', async (permission) => {
      const code = permission === 'accessGrants.manage' ? 'permission.missing' : 'permission.escalation';
      const grants = await grantsWithout(permission);
      const before = await tenant.fingerprint();
      await Promise.all(grants.map(async (send) => expectProblem(await send(), code)));
      expect(await tenant.fingerprint()).toEqual(before);
    });

    it.each(TURNS.filter(([permission]) => !part.includes(permission)))(
      'returns 201 without %s, which the grant does not cover',
      async (permission, turn) => {
        for (const send of everyNth(await grantsWithout(permission), turn, STEP))
          expect((await send()).status).toBe(201);
      },
    );

    it('returns 403 right after the caller has lost a permission', async () => {
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

  describe('through a change of confidentiality', () => {
    let listed: Actor;
    beforeAll(async () => {
      // A new tenant with few rows, whose fingerprint takes less time.
      tenant = await service.tenant();
      listed = await tenant.as('editor');
    });

    const change = (attacker: Actor, id: string, isConfidential: boolean) =>
      attacker.put(`/documents/${id}/confidentiality`, { isConfidential });

    it.each(ALL_PERMISSIONS)(
      'returns 404 or 403 to an unlisted user with all permissions but %s',
      async (permission) => {
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
      },
    );

    it.each(ALL_PERMISSIONS)(
      'returns 403 to a listed user with %s unless that is sufficient',
      async (permission) => {
        const attacker = await tenant.with(...new Set([...READ_PERMISSIONS, permission]));
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
      },
    );
  });
});
