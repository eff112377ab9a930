import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Test } from 'supertest';
import { type Permission } from '../../../src/common/vocabulary/permissions.js';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveDocument, saveTag } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { setMemberRole, saveRole } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { duringTransaction } from '../../support/locks.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { RAISE_ACCESS_VERSION } from '../../support/database.js';

describe('A repeated request with the same Idempotency-Key after the caller has lost a right', () => {
  let tenant: TestTenant;
  let admin: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
  });

  /** Returns a function that sends the request with the same Idempotency-Key each time. */
  const repeatable = (send: () => Test) => {
    const key = randomUUID();
    return () => send().set('Idempotency-Key', key);
  };
  const changeRole = (permissions: Permission[], { userId }: Actor) =>
    service
      .query(
        `UPDATE roles SET permissions = $3 WHERE tenant_id = $1
            AND id = (SELECT role_id FROM members WHERE tenant_id = $1 AND user_id = $2)`,
        [tenant.id, userId, permissions],
      )
      .then(() => tenant.increaseAccessVersion());
  const endGrant = async (id: string) => {
    await service.query('UPDATE access_grants SET revoked_at = now() WHERE tenant_id = $1 AND id = $2', [
      tenant.id,
      id,
    ]);
    await tenant.increaseAccessVersion();
  };
  const refused = async (send: () => Test, code: 'permission.escalation' | 'permission.missing') => {
    await expectRefused(tenant, () => send(), code);
  };

  describe('that the caller gave to others', () => {
    const KEPT: Permission[] = [
      'roles.manage',
      'members.manage',
      'invitations.manage',
      'accessGrants.manage',
      'files.read',
    ];
    const GIVEN: Permission[] = ['tags.read', 'files.update'];
    it.each<[string, (actor: Actor, roleId: string, fileId: string) => Test]>([
      ['CreateRole', (actor) => actor.post('/roles', { name: 'Neu', permissions: GIVEN })],
      [
        'AddMember',
        (actor, roleId) => actor.post('/members', { issuer: service.issuer.url, subject: 'machine', roleId }),
      ],
      [
        'CreateInvitation',
        (actor, roleId) => actor.post('/invitations', { email: 'neu@people.example', roleId }),
      ],
      [
        'CreateAccessGrant',
        (actor, subjectId, targetId) =>
          actor.post('/access-grants', {
            subjectType: 'Role',
            subjectId,
            targetType: 'File',
            targetId,
            level: 'Write',
          }),
      ],
    ])('returns 403: %s', async (_, request) => {
      const documents: Permission[] = ['documents.create', 'documents.update', 'documents.file'];
      const actor = await tenant.with(...KEPT, ...GIVEN, ...documents);
      const { id: roleId } = await saveRole(tenant, GIVEN);
      const { id: fileId } = await saveFile(tenant, admin);
      const send = repeatable(() => request(actor, roleId, fileId));
      expect((await send()).status).toBe(201);
      expect((await send()).status).toBe(201);
      await changeRole(KEPT, actor);
      await refused(send, 'permission.escalation');
      await changeRole([...KEPT, ...GIVEN, ...documents], actor);
      expect((await send()).status).toBe(201);
    });

    it('returns 201 although the role in the body has been deleted since', async () => {
      const { id: roleId } = await saveRole(tenant, GIVEN);
      const send = repeatable(() =>
        admin.post('/members', { issuer: service.issuer.url, subject: 'machine', roleId }),
      );
      const first = await send();
      const member = (first.body as { userId: string }).userId;
      await setMemberRole(tenant, { userId: member } as Actor, await tenant.roleId('viewer'));
      expect((await admin.delete(`/roles/${roleId}`)).status).toBe(204);
      const again = await send();
      expect([again.status, again.text]).toEqual([201, first.text]);
    });
  });

  describe('from one of two grants', () => {
    let guest: Actor;
    let files: { id: string }[];
    let grants: string[];
    beforeEach(async () => {
      guest = await tenant.as('guest');
      files = [await saveFile(tenant, admin), await saveFile(tenant, admin)];
      grants = [];
      for (const { id } of files) {
        grants.push(await saveAccessGrant(tenant, guest, { file: id }, { level: 'Write' }));
      }
    });

    it.each([
      ['one of two files', [0, 1], {}],
      ['its only file', [0], {}],
      ['the file of a confidential document', [0], { isConfidential: true }],
    ])('returns 403: CreateDocument after the grant for %s has ended', async (_, into, rest) => {
      const fileIds = into.map((n) => files[n]!.id);
      const send = repeatable(() => guest.post('/documents', { title: 'Plan', fileIds, ...rest }));
      const first = await send();
      expect(first.status).toBe(201);
      await endGrant(grants[1]!);
      if (into.length === 1) {
        const again = await send();
        expect([again.status, again.text]).toEqual([201, first.text]);
        await saveAccessGrant(tenant, guest, { file: files[1]!.id }, { level: 'Write' });
      }
      await endGrant(grants[0]!);
      await refused(send, 'permission.missing');
    });

    it('returns 403: CreateDocument after a Read grant has replaced the Write grant', async () => {
      const send = repeatable(() => guest.post('/documents', { title: 'Plan', fileIds: [files[0]!.id] }));
      expect((await send()).status).toBe(201);
      await saveAccessGrant(tenant, guest, { file: files[0]!.id });
      await endGrant(grants[0]!);
      await refused(send, 'permission.missing');
    });

    it('returns 403: CreateDocument (confidential) after losing documents.update', async () => {
      const actor = await tenant.with('documents.create', 'documents.update', 'documents.read');
      const send = repeatable(() => actor.post('/documents', { title: 'Plan', isConfidential: true }));
      expect((await send()).status).toBe(201);
      await changeRole(['documents.create', 'documents.read'], actor);
      await refused(send, 'permission.missing');
    });

    it.each(['Tag', 'Untag', 'File', 'Unfile', 'Move'])(
      'returns 403: BulkChangeDocuments, %s',
      async (action) => {
        const documentIds: string[] = [];
        for (const { id } of files) {
          documentIds.push((await saveDocument(tenant, guest, { fileIds: [id] })).id);
        }
        const targets = action.endsWith('ag')
          ? { tagIds: [(await saveTag(tenant)).id] }
          : action === 'Move'
            ? { fromFileId: files[0]!.id, toFileId: files[1]!.id }
            : { fileIds: files.map(({ id }) => id) };
        const send = repeatable(() => guest.post('/documents/bulk', { action, documentIds, ...targets }));
        const first = await send();
        expect(first.status).toBe(200);
        const again = await send();
        expect([again.status, again.text]).toEqual([200, first.text]);
        await endGrant(grants[0]!);
        await refused(send, 'permission.missing');
      },
    );

    it('returns 200: BulkChangeDocuments when the ended grant was not needed', async () => {
      const { id: mine } = await saveDocument(tenant, guest, { fileIds: [files[0]!.id] });
      const { id: tagId } = await saveTag(tenant);
      const hidden = randomUUID();
      const send = repeatable(() =>
        guest.post('/documents/bulk', { action: 'Tag', documentIds: [mine, hidden], tagIds: [tagId] }),
      );
      const first = await send();
      expect(
        (first.body as { results: { outcome: string }[] }).results.map(({ outcome }) => outcome),
      ).toEqual(['Done', 'Refused']);
      await endGrant(grants[1]!);
      const again = await send();
      expect([again.status, again.text]).toEqual([200, first.text]);
    });
  });

  it('returns 403 when the right is lost while the first request is in progress', async () => {
    const actor = await tenant.with('tags.manage');
    const send = (key: string) => actor.post('/tags', { name: 'Bauplan' }).set('Idempotency-Key', key);
    const [done, running] = [randomUUID(), randomUUID()];
    expect((await send(done)).status).toBe(201);
    // One transaction stores the first request with the other key and changes the rights.
    const response = await duringTransaction(
      service,
      `WITH first AS (
         INSERT INTO idempotency_keys (tenant_id, user_id, operation, key, fingerprint, body)
         SELECT tenant_id, user_id, operation, $2, fingerprint, body FROM idempotency_keys
          WHERE tenant_id = $1 AND key = $3),
       role AS (
         UPDATE roles SET permissions = '{}' WHERE tenant_id = $1
            AND id = (SELECT role_id FROM members WHERE tenant_id = $1 AND user_id = $4))
       ${RAISE_ACCESS_VERSION}`,
      [tenant.id, running, done, actor.userId],
      () => send(running),
    );
    expectProblem(response, 'permission.missing');
  });
});
