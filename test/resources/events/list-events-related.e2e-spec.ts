import { beforeEach, describe, expect, it } from '@jest/globals';
import { BinPurge } from '../../../src/resources/documents/bin/bin-purge.js';
import { type EventResponse } from '../../../src/platform/events/event.dto.js';
import { sequenced } from '../../platform/events/event-log.js';
import { type Actor } from '../../support/actor.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('ListEvents, ids of related objects', () => {
  let tenant: TestTenant;
  let admin: Actor;

  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
  });

  async function create(path: string, body: object): Promise<string> {
    const response = await admin.post(path, body);
    expect([path, response.status]).toEqual([path, 201]);
    const { id, userId } = response.body as { id?: string; userId?: string };
    return id ?? userId ?? '';
  }

  let count = 0;
  const fileType = () =>
    create('/file-types', { key: `type${(count += 1)}`, nameDe: `Typ ${count}`, nameEn: `Type ${count}` });
  const file = (fileTypeId: string) =>
    create('/files', { fileTypeId, number: `${(count += 1)}/26`, name: 'Harbour' });
  const tag = () => create('/tags', { name: `Tag ${(count += 1)}` });

  /** The related ids of each event, as `type: related`, since the last call. */
  let seen = 0;
  beforeEach(() => {
    seen = 0;
  });
  async function related(actor = admin): Promise<[string, object][]> {
    await sequenced(tenant);
    const { items } = (await actor.get('/events?limit=200').expect(200)).body as { items: EventResponse[] };
    const later = items.slice(seen);
    seen = items.length;
    return later.map(({ type, related: ids }) => [type, ids]);
  }

  it('returns 200 with the type of a file', async () => {
    const fileTypeId = await fileType();
    const id = await file(fileTypeId);
    await related();
    await admin.put(`/files/${id}`, { name: 'Bridge' }).expect(200);
    await admin.post(`/files/${id}/close`).expect(200);
    await admin.post(`/files/${id}/reopen`).expect(200);
    await admin.delete(`/files/${id}`).expect(204);
    await file(fileTypeId);
    expect(await related()).toEqual(
      ['FileRenamed', 'FileClosed', 'FileReopened', 'FileDeleted', 'FileCreated'].map((type) => [
        type,
        { fileTypeId },
      ]),
    );
  });

  it('returns 200 with files and tags of a document', async () => {
    const [fileId, tagId] = [await file(await fileType()), await tag()];
    await related();
    const id = await create('/documents', { title: 'Offer', fileIds: [fileId], tagIds: [tagId] });
    await admin.delete(`/documents/${id}/tags/${tagId}`).expect(204);
    await admin.put(`/documents/${id}/tags/${tagId}`).expect(204);
    await admin.delete(`/documents/${id}/files/${fileId}`).expect(204);
    await admin.put(`/documents/${id}/files/${fileId}`).expect(204);
    await admin.put(`/documents/${id}`, { title: 'Order' }).expect(200);
    expect(await related()).toEqual([
      ['DocumentCreated', {}],
      ['DocumentFiled', { fileId }],
      ['DocumentTagged', { tagId }],
      ['DocumentUntagged', { tagId }],
      ['DocumentTagged', { tagId }],
      ['DocumentUnfiled', { fileId }],
      ['DocumentFiled', { fileId }],
      ['DocumentUpdated', {}],
    ]);
  });

  it('returns 200 with target and subject of a grant', async () => {
    const fileTypeId = await fileType();
    const fileId = await file(fileTypeId);
    const [{ userId }, roleId] = [
      await tenant.as('guest'),
      await create('/roles', { name: 'Role', permissions: [] }),
    ];
    await related();
    const grant = (subjectType: string, subjectId: string, targetType: string, targetId: string) =>
      create('/access-grants', { subjectType, subjectId, targetType, targetId, level: 'Read' });
    const revoked = await grant('User', userId, 'File', fileId);
    await grant('Role', roleId, 'FileType', fileTypeId);
    await admin.delete(`/access-grants/${revoked}`).expect(204);
    expect(await related()).toEqual([
      ['AccessGranted', { fileId, userId }],
      ['AccessGranted', { fileTypeId, roleId }],
      ['AccessRevoked', { fileId, userId }],
    ]);
    await grant('Role', roleId, 'File', fileId);
    await admin.delete(`/files/${fileId}`).expect(204);
    await admin.delete(`/roles/${roleId}`).expect(204);
    expect(await related()).toEqual([
      ['AccessGranted', { fileId, roleId }],
      ['FileDeleted', { fileTypeId }],
      ['AccessRevoked', { fileId, roleId }],
      ['RoleDeleted', {}],
      ['AccessRevoked', { fileTypeId, roleId }],
    ]);
  });

  it('returns 200 with the role of a member, and what ends with the membership', async () => {
    const [roleId, guestId] = [
      await create('/roles', { name: 'Role', permissions: [] }),
      await tenant.roleId('guest'),
    ];
    const fileTypeId = await fileType();
    await related();
    const member = await tenant.nonMember();
    const { userId } = member;
    await create('/members', { issuer: service.issuer.url, subject: member.subject, roleId });
    await admin.put(`/members/${userId}`, { roleId: guestId }).expect(200);
    const grant = { subjectType: 'User', subjectId: userId, targetType: 'FileType', targetId: fileTypeId };
    await create('/access-grants', { ...grant, level: 'Read' });
    await admin.delete(`/members/${userId}`).expect(204);
    expect(await related()).toEqual([
      ['MemberAdded', { roleId }],
      ['MemberRoleChanged', { roleId: guestId }],
      ['AccessGranted', { fileTypeId, userId }],
      ['MemberRemoved', { roleId: guestId }],
      ['AccessRevoked', { fileTypeId, userId }],
    ]);
  });

  it('returns 200 with the role of an invitation, and the user who accepted it', async () => {
    const roleId = await tenant.roleId('guest');
    const [accepting, declining] = [await tenant.nonMember(), await tenant.nonMember()];
    const invite = async (email: string) =>
      (await admin.post('/invitations', { email, roleId }).expect(201)).body as {
        id: string;
        secret: string;
      };
    const [accepted, declined] = [await invite(accepting.email), await invite(declining.email)];
    const revoked = await invite('third@example.com');
    await accepting.post('/invitations/accept', { secret: accepted.secret }).expect(200);
    await declining.post('/invitations/decline', { secret: declined.secret }).expect(204);
    await admin.delete(`/invitations/${revoked.id}`).expect(204);
    expect((await related()).slice(1)).toEqual([
      ...Array.from({ length: 3 }, () => ['InvitationCreated', { roleId }]),
      ['InvitationAccepted', { roleId, userId: accepting.userId }],
      ['MemberAdded', { roleId }],
      ['InvitationDeclined', { roleId }],
      ['InvitationRevoked', { roleId }],
    ]);
  });

  it('returns 200 with the owner of a saved view', async () => {
    const { userId } = admin;
    const id = await create('/saved-views', { name: 'Mine', filter: {} });
    await admin.put(`/saved-views/${id}`, { name: 'My view', filter: {} }).expect(200);
    await admin.delete(`/saved-views/${id}`).expect(204);
    expect((await related()).slice(1)).toEqual(
      ['SavedViewCreated', 'SavedViewUpdated', 'SavedViewDeleted'].map((type) => [type, { userId }]),
    );
  });

  describe('about a confidential document', () => {
    let listed: Actor;
    let auditor: Actor;
    let fileId: string;
    beforeEach(async () => {
      [listed, auditor] = [await tenant.as('administrator'), await tenant.as('auditor')];
      fileId = await file(await fileType());
      await related();
    });

    const confidential = async (): Promise<string> => {
      const id = await create('/documents', { title: 'Offer', fileIds: [fileId], isConfidential: true });
      await admin.put(`/documents/${id}/confidential-access/${listed.userId}`).expect(204);
      return id;
    };
    const purge = (id: string) =>
      service
        .query(
          `UPDATE documents SET deleted_at = now() - interval '400 days' WHERE tenant_id = $1 AND id = $2`,
          [tenant.id, id],
        )
        .then(() => service.app.get(BinPurge).purge());

    const own = (types: readonly string[]) => types.map((type) => [type, expect.any(Object)]);
    const TYPES = ['DocumentCreated', 'DocumentFiled', 'ConfidentialityChanged', 'ConfidentialUserAdded'];

    it('returns 200 with ids only for users on its list', async () => {
      await confidential();
      const start = seen;
      const full = [
        ['DocumentCreated', {}],
        ['DocumentFiled', { fileId }],
        ['ConfidentialityChanged', {}],
        ['ConfidentialUserAdded', { userId: listed.userId }],
      ];
      expect(await related(listed)).toEqual(full);
      seen = start;
      expect(await related(admin)).toEqual(full);
      seen = start;
      expect(await related(auditor)).toEqual(TYPES.map((type) => [type, {}]));
      expect(full).toEqual(own(TYPES));
    });

    it('returns 200 with ids after the document is no longer confidential', async () => {
      const id = await confidential();
      await admin.put(`/documents/${id}/confidentiality`, { isConfidential: false }).expect(200);
      expect((await related(auditor))[1]).toEqual(['DocumentFiled', { fileId }]);
    });

    it('returns 200 without ids after it was purged', async () => {
      const id = await confidential();
      const other = await create('/documents', { title: 'Other', fileIds: [fileId] });
      for (const one of [id, other]) {
        await admin.delete(`/documents/${one}`).expect(204);
        await purge(one);
      }
      const filed = (await related(admin)).filter(([type]) => type === 'DocumentFiled');
      expect(filed).toEqual([
        ['DocumentFiled', {}],
        ['DocumentFiled', { fileId }],
      ]);
    });
  });
});
