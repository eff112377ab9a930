import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Response, type Test } from 'supertest';
import { ALL_PERMISSIONS, type Permission } from '../../src/vocabulary/permissions.js';
import { saveAccessGrant } from '../factories/access-grants.js';
import { saveDocument } from '../factories/documents.js';
import { saveFile, saveFileType } from '../factories/files.js';
import { giveRole, roleIdOf, saveRole } from '../factories/roles.js';
import { type Actor } from '../support/actor.js';
import { expectProblem } from '../support/expect-problem.js';
import { TestService } from '../support/service.js';
import { type TestTenant } from '../support/tenant.js';

// Many requests in a case: where the machine has much else to do, they take their time.
jest.setTimeout(600_000);

/** Somebody who reaches for a permission, and what there is to reach for. */
interface Ground {
  readonly wanted: Permission;
  readonly climber: Actor;
  /** Role of the climber, and what it allows. */
  readonly own: { readonly id: string; readonly permissions: readonly Permission[] };
  /** A role that allows nothing, and somebody who has it. */
  readonly empty: string;
  readonly junior: Actor;
  /** Somebody whose role allows the wanted permission only. */
  readonly senior: Actor;
  /** As much again, which nobody has. */
  readonly unused: string;
}

interface Way {
  /** What one needs to go it at all. */
  readonly needs: Permission;
  readonly send: (ground: Ground) => Test;
}

let names = 0;
const newName = () => `Name ${(names += 1)}`;

/** Every way to a permission that leads over roles, members and invitations. */
const WAYS: Readonly<Record<string, Way>> = {
  'makes a role with it': {
    needs: 'roles.manage',
    send: ({ climber, wanted }) => climber.post('/roles', { name: newName(), permissions: [wanted] }),
  },
  'adds it to their own role': {
    needs: 'roles.manage',
    send: ({ climber, own, wanted }) =>
      climber.put(`/roles/${own.id}`, {
        name: newName(),
        permissions: [...new Set([...own.permissions, wanted])],
      }),
  },
  'adds it to the role of others': {
    needs: 'roles.manage',
    send: ({ climber, empty, wanted }) =>
      climber.put(`/roles/${empty}`, { name: newName(), permissions: [wanted] }),
  },
  'takes it out of a role': {
    needs: 'roles.manage',
    send: ({ climber, unused }) => climber.put(`/roles/${unused}`, { name: newName(), permissions: [] }),
  },
  'renames a role with it': {
    needs: 'roles.manage',
    send: ({ climber, unused }) => climber.put(`/roles/${unused}`, { name: newName() }),
  },
  'deletes a role with it': {
    needs: 'roles.manage',
    send: ({ climber, unused }) => climber.delete(`/roles/${unused}`),
  },
  'gives themselves a role with it': {
    needs: 'members.manage',
    send: ({ climber, unused }) => climber.put(`/members/${climber.userId}`, { roleId: unused }),
  },
  'gives somebody else a role with it': {
    needs: 'members.manage',
    send: ({ climber, junior, unused }) => climber.put(`/members/${junior.userId}`, { roleId: unused }),
  },
  'takes such a role from somebody': {
    needs: 'members.manage',
    send: ({ climber, senior, empty }) => climber.put(`/members/${senior.userId}`, { roleId: empty }),
  },
  'removes somebody who holds it': {
    needs: 'members.manage',
    send: ({ climber, senior }) => climber.delete(`/members/${senior.userId}`),
  },
  'makes somebody a member who then holds it': {
    needs: 'members.manage',
    send: ({ climber, unused }) => {
      const issuer = climber.tenant.service.issuer.url;
      return climber.post('/members', { issuer, subject: randomUUID(), roleId: unused });
    },
  },
  'invites to a role with it': {
    needs: 'invitations.manage',
    send: ({ climber, unused }) =>
      climber.post('/invitations', { email: `${randomUUID()}@people.example`, roleId: unused }),
  },
};

/** What a grant of the level lets somebody do. */
const GRANTED: Readonly<Record<'Read' | 'Write', readonly Permission[]>> = {
  Read: ['files.read'],
  Write: ['files.read', 'files.update', 'documents.create', 'documents.update', 'documents.file'],
};

/** What one needs to see a document that one is on the list of. */
const SIGHT: readonly Permission[] = ['documents.read', 'files.read'];

describe('For each permission, nobody who lacks it', () => {
  let service: TestService;
  let tenant: TestTenant;
  beforeAll(async () => {
    service = await TestService.shared();
    tenant = await service.tenant();
    // Whoever else goes, somebody can always manage roles and members.
    await tenant.as('administrator');
  });

  const but = (...without: Permission[]) => ALL_PERMISSIONS.filter((one) => !without.includes(one));

  async function prepare(wanted: Permission, permissions: readonly Permission[]): Promise<Ground> {
    const climber = await tenant.with(...permissions);
    const [junior, senior] = [await tenant.with(), await tenant.with(wanted)];
    return {
      ...{ wanted, climber, junior, senior },
      own: { id: (await roleIdOf(tenant, climber)) ?? '', permissions },
      empty: (await roleIdOf(tenant, junior)) ?? '',
      unused: (await saveRole(tenant, [wanted], newName())).id,
    };
  }

  it.each(ALL_PERMISSIONS)('403: gets at %s, or at those who have it', async (wanted) => {
    const ground = await prepare(wanted, but(wanted));
    const before = await tenant.fingerprint();
    for (const { needs, send } of Object.values(WAYS))
      expectProblem(await send(ground), needs === wanted ? 'permission.missing' : 'permission.escalation');
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it.each(ALL_PERMISSIONS)(
    '2xx: which all of these ways are open to who holds little but %s',
    async (wanted) => {
      for (const [name, { needs, send }] of Object.entries(WAYS)) {
        const response = await send(await prepare(wanted, [...new Set([needs, wanted])]));
        expect({ name, answer: Math.floor(response.status / 100) }).toEqual({ name, answer: 2 });
      }
    },
  );

  describe.each(['Read', 'Write'] as const)('grants access to %s', (level) => {
    const grant = async (climber: Actor, reader: Actor, target: Record<string, string>): Promise<Response> =>
      climber.post('/access-grants', { subjectType: 'User', subjectId: reader.userId, level, ...target });

    it.each(ALL_PERMISSIONS)('403, or 201 where %s is no part of that', async (wanted) => {
      const chief = await tenant.as('administrator');
      const climber = await tenant.with(...but(wanted));
      const file = await saveFile(tenant, chief);
      // What was granted is not handed on, be it to oneself.
      await saveAccessGrant(tenant, climber, { file: file.id }, { level: 'Write' });
      for (const reader of [climber, await tenant.as('guest')]) {
        for (const target of [
          { targetType: 'File', targetId: file.id },
          { targetType: 'FileType', targetId: file.fileTypeId },
        ]) {
          const before = await tenant.fingerprint();
          const response = await grant(climber, reader, target);
          if (wanted === 'accessGrants.manage') expectProblem(response, 'permission.missing');
          else if (GRANTED[level].includes(wanted)) expectProblem(response, 'permission.escalation');
          else expect(response.status).toBe(201);
          if (response.status === 403) expect(await tenant.fingerprint()).toEqual(before);
        }
      }
    });

    it('403: with what somebody is left with who held it a moment ago', async () => {
      const climber = await tenant.with('accessGrants.manage', ...GRANTED[level]);
      const reader = await tenant.as('guest');
      const target = { targetType: 'FileType', targetId: (await saveFileType(tenant)).id };
      expect((await grant(climber, reader, target)).status).toBe(201);
      const left = await saveRole(tenant, ['accessGrants.manage', ...GRANTED[level].slice(1)], newName());
      await giveRole(tenant, climber, left.id);
      expectProblem(await grant(climber, reader, target), 'permission.escalation');
    });
  });

  describe('switches confidentiality off, or on', () => {
    const change = (climber: Actor, id: string, isConfidential: boolean) =>
      climber.put(`/documents/${id}/confidentiality`, { isConfidential });

    it.each(ALL_PERMISSIONS)('404 or 403: off the list, with all but %s', async (wanted) => {
      const [listed, climber] = [await tenant.as('editor'), await tenant.with(...but(wanted))];
      const { id } = await saveDocument(tenant, listed, { confidentialTo: [listed] });
      const own = await saveDocument(tenant, climber, { confidentialTo: [listed] });
      const before = await tenant.fingerprint();
      for (const document of [id, own.id, randomUUID()]) {
        const code = wanted === 'documents.confidential.manage' ? 'permission.missing' : 'resource.not-found';
        expectProblem(await change(climber, document, false), code);
        expectProblem(await change(climber, document, true), code);
      }
      expect(await tenant.fingerprint()).toEqual(before);
    });

    it.each(ALL_PERMISSIONS)('403: on the list, with little but %s', async (wanted) => {
      const [maker, climber] = [await tenant.as('editor'), await tenant.with(...new Set([...SIGHT, wanted]))];
      const others = await saveDocument(tenant, maker, { confidentialTo: [maker, climber] });
      const own = await saveDocument(tenant, climber, { confidentialTo: [maker, climber] });
      for (const [document, enough] of [
        [others.id, ['documents.confidential.manage']],
        [own.id, ['documents.confidential.manage', 'documents.update']],
      ] as const) {
        const response = await change(climber, document, false);
        if ((enough as readonly string[]).includes(wanted)) expect(response.status).toBe(200);
        else expectProblem(response, 'permission.missing');
      }
    });
  });
});
