import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Response, type Test } from 'supertest';
import { ALL_PERMISSIONS, type Permission } from '../../../src/common/vocabulary/permissions.js';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveDocument } from '../../factories/documents.js';
import { saveFile, saveFileType } from '../../factories/files.js';
import { giveRole, roleIdOf, saveRole } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';
import { inTurn } from '../support/selection.js';

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

/** `npm test` tries one of so many ways with each permission, and the next one with the next permission. */
const STEP = 4;
const TURNS = ALL_PERMISSIONS.map((permission, turn) => [permission, turn] as const);

describe('For each permission, nobody who lacks it', () => {
  let service: TestService;
  let tenant: TestTenant;
  let chief: Actor;
  beforeAll(async () => {
    service = await TestService.shared();
    tenant = await service.tenant();
    // Whoever else goes, somebody can always manage roles and members.
    chief = await tenant.as('administrator');
  });

  const but = (...without: Permission[]) => ALL_PERMISSIONS.filter((one) => !without.includes(one));

  async function prepare(wanted: Permission, permissions: readonly Permission[]): Promise<Ground> {
    const [climber, junior, senior, unused] = await Promise.all([
      tenant.with(...permissions),
      tenant.with(),
      tenant.with(wanted),
      saveRole(tenant, [wanted], newName()),
    ]);
    const [own, empty] = await Promise.all([roleIdOf(tenant, climber), roleIdOf(tenant, junior)]);
    return {
      ...{ wanted, climber, junior, senior },
      own: { id: own ?? '', permissions },
      empty: empty ?? '',
      unused: unused.id,
    };
  }

  it.each(ALL_PERMISSIONS)('403: gets at %s, or at those who have it', async (wanted) => {
    const ground = await prepare(wanted, but(wanted));
    const before = await tenant.fingerprint();
    await Promise.all(
      Object.values(WAYS).map(async ({ needs, send }) =>
        expectProblem(await send(ground), needs === wanted ? 'permission.missing' : 'permission.escalation'),
      ),
    );
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it.each(TURNS)('2xx: which these ways are open to who holds little but %s', async (wanted, turn) => {
    await Promise.all(
      inTurn(Object.entries(WAYS), turn, STEP).map(async ([name, { needs, send }]) => {
        const response = await send(await prepare(wanted, [...new Set([needs, wanted])]));
        expect({ name, answer: Math.floor(response.status / 100) }).toEqual({ name, answer: 2 });
      }),
    );
  });

  describe.each(['Read', 'Write'] as const)('grants access to %s', (level) => {
    const part: readonly Permission[] = ['accessGrants.manage', ...GRANTED[level]];
    let file: { id: string; fileTypeId: string };
    let guest: Actor;
    beforeAll(async () => {
      file = await saveFile(tenant, chief);
      guest = await tenant.as('guest');
    });

    const grant = async (climber: Actor, reader: Actor, target: Record<string, string>): Promise<Response> =>
      climber.post('/access-grants', { subjectType: 'User', subjectId: reader.userId, level, ...target });

    /** A member with all permissions but one, and each way to grant access to themselves or to a guest. */
    async function grantsWithout(wanted: Permission): Promise<(() => Promise<Response>)[]> {
      const climber = await tenant.with(...but(wanted));
      // What was granted is not handed on, be it to oneself.
      await saveAccessGrant(tenant, climber, { file: file.id }, { level: 'Write' });
      const targets = [
        { targetType: 'File', targetId: file.id },
        { targetType: 'FileType', targetId: file.fileTypeId },
      ];
      return [climber, guest].flatMap((reader) =>
        targets.map((target) => () => grant(climber, reader, target)),
      );
    }

    it.each(part)('403: without %s', async (wanted) => {
      const code = wanted === 'accessGrants.manage' ? 'permission.missing' : 'permission.escalation';
      const grants = await grantsWithout(wanted);
      const before = await tenant.fingerprint();
      await Promise.all(grants.map(async (send) => expectProblem(await send(), code)));
      expect(await tenant.fingerprint()).toEqual(before);
    });

    it.each(TURNS.filter(([wanted]) => !part.includes(wanted)))(
      '201: without %s, which is no part of that',
      async (wanted, turn) => {
        for (const send of inTurn(await grantsWithout(wanted), turn, STEP))
          expect((await send()).status).toBe(201);
      },
    );

    it('403: with what somebody is left with who held it a moment ago', async () => {
      const climber = await tenant.with('accessGrants.manage', ...GRANTED[level]);
      const target = { targetType: 'FileType', targetId: (await saveFileType(tenant)).id };
      expect((await grant(climber, guest, target)).status).toBe(201);
      const left = await saveRole(tenant, ['accessGrants.manage', ...GRANTED[level].slice(1)], newName());
      await giveRole(tenant, climber, left.id);
      expectProblem(await grant(climber, guest, target), 'permission.escalation');
    });
  });

  describe('switches confidentiality off, or on', () => {
    let listed: Actor;
    beforeAll(async () => {
      // A tenant without what the cases above have left: its fingerprint takes less time.
      tenant = await service.tenant();
      listed = await tenant.as('editor');
    });

    const change = (climber: Actor, id: string, isConfidential: boolean) =>
      climber.put(`/documents/${id}/confidentiality`, { isConfidential });

    it.each(ALL_PERMISSIONS)('404 or 403: off the list, with all but %s', async (wanted) => {
      const climber = await tenant.with(...but(wanted));
      const { id } = await saveDocument(tenant, listed, { confidentialTo: [listed] });
      const own = await saveDocument(tenant, climber, { confidentialTo: [listed] });
      const code = wanted === 'documents.confidential.manage' ? 'permission.missing' : 'resource.not-found';
      const before = await tenant.fingerprint();
      await Promise.all(
        [id, own.id, randomUUID()].flatMap((document) =>
          [false, true].map(async (is) => expectProblem(await change(climber, document, is), code)),
        ),
      );
      expect(await tenant.fingerprint()).toEqual(before);
    });

    it.each(ALL_PERMISSIONS)('403: on the list, with little but %s', async (wanted) => {
      const climber = await tenant.with(...new Set([...SIGHT, wanted]));
      const [others, own] = await Promise.all(
        [listed, climber].map((maker) => saveDocument(tenant, maker, { confidentialTo: [listed, climber] })),
      );
      for (const [document, enough] of [
        [others, ['documents.confidential.manage']],
        [own, ['documents.confidential.manage', 'documents.update']],
      ] as const) {
        const response = await change(climber, document?.id ?? '', false);
        if ((enough as readonly string[]).includes(wanted)) expect(response.status).toBe(200);
        else expectProblem(response, 'permission.missing');
      }
    });
  });
});
