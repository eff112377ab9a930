import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveDocument } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { type PageBody, pagedList, readAll } from '../../support/operations/paged-list.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

/** Id of a document in every tenant of the test: ids are unique only within a tenant. */
const DOCUMENT = '0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c5f';

describe('ListDocumentAccess', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let guest: Actor;
  let file: { id: string; fileTypeId: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator', 'Ada');
    guest = await tenant.as('guest', 'Gerda');
    file = await saveFile(tenant, admin);
    await saveDocument(tenant, admin, { id: DOCUMENT, fileIds: [file.id] });
  });

  const send = (actor = admin, id = DOCUMENT) => actor.get(`/documents/${id}/access`);
  const readers = async (id = DOCUMENT, actor = admin) =>
    (await readAll(actor, `/documents/${id}/access`, 200)) as unknown as {
      userId: string;
      canWrite: boolean;
      reasons: object[];
    }[];
  const readerOf = async ({ userId }: Actor, id = DOCUMENT, actor = admin) =>
    (await readers(id, actor)).find((reader) => reader.userId === userId);
  pagedList({
    actor: () => admin,
    other: () => tenant.as('administrator'),
    path: `/documents/${DOCUMENT}/access`,
    otherPath: '/members',
    key: 'userId',
    neverEmpty: true,
    fill: async (where, count) => {
      if (where !== tenant) await saveDocument(where, admin, { id: DOCUMENT });
      const ids: string[] = [];
      // The creator, although a guest without grants.
      await where.query(
        'UPDATE documents SET created_by = $3 WHERE tenant_id = $1 AND id = $2',
        DOCUMENT,
        guest.userId,
      );
      for (let n = 0; n < count; n += 1) {
        const name = `${n % 2 === 0 ? 'm' : 'M'}ember ${String(n).padStart(3, '0')}`;
        ids.push((await where.as('viewer', name)).userId);
      }
      return [admin.userId, guest.userId, ...ids];
    },
  });

  it('returns 403 without members.read', async () => {
    const member = await tenant.with('accessGrants.read', 'files.read', 'documents.read');
    expectProblem(await send(member), 'permission.missing');
  });

  it('returns 200 with role, creator and grants as reasons', async () => {
    const other = await saveFile(tenant, admin, { fileTypeId: file.fileTypeId });
    const { id } = await saveDocument(tenant, guest, { fileIds: [file.id, other.id] });
    const grants = [
      await saveAccessGrant(tenant, guest, { file: other.id }, { toRole: true }),
      await saveAccessGrant(tenant, guest, { fileType: file.fileTypeId }),
    ];
    const roleId = await tenant.roleId('guest');
    expect((await send(admin, id)).body).toEqual({
      items: [
        {
          ...{ userId: admin.userId, displayName: 'Ada', canWrite: true, moreReasons: false },
          reasons: [{ kind: 'Role', roleId: await tenant.roleId('administrator') }],
        },
        {
          ...{ userId: guest.userId, displayName: 'Gerda', canWrite: false, moreReasons: false },
          reasons: [
            { kind: 'Creator' },
            { kind: 'GrantOnFile', roleId, grantId: grants[0], fileId: other.id, expiresAt: null },
            // One reason for each grant, with the first of the files.
            { kind: 'GrantOnFileType', grantId: grants[1], fileId: file.id, expiresAt: null },
          ],
        },
      ],
      nextCursor: null,
    });
  });

  it('returns 200 with canWrite for documents.update and for a Write grant on a file', async () => {
    const updater = await tenant.with('documents.read', 'documents.update');
    await saveAccessGrant(tenant, updater, { file: file.id });
    await saveAccessGrant(tenant, guest, { file: file.id });
    expect(await readerOf(updater)).toMatchObject({ canWrite: true });
    expect(await readerOf(guest)).toMatchObject({ canWrite: false });
    await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
    expect(await readerOf(guest)).toMatchObject({ canWrite: true });
    await guest.put(`/documents/${DOCUMENT}`, { title: 'New' }).expect(200);
  });

  it('returns 200 without members who lack documents.read, whatever grants they have', async () => {
    const member = await tenant.with('files.read');
    await saveAccessGrant(tenant, member, { file: file.id });
    expect(await readerOf(member)).toBeUndefined();
  });

  it('returns 200 without members whose grants have expired or were revoked', async () => {
    await saveAccessGrant(tenant, guest, { file: file.id }, { expiresAt: `now() - interval '1 second'` });
    await saveAccessGrant(tenant, guest, { fileType: file.fileTypeId }, { toRole: true, revoked: true });
    expect(await readerOf(guest)).toBeUndefined();
  });

  describe('for a confidential document', () => {
    it('returns 200 with the members on its list who have documents.read, and no other reason', async () => {
      const auditor = await tenant.as('auditor');
      const confidentialTo = [admin, guest, auditor];
      const { id } = await saveDocument(tenant, guest, { fileIds: [file.id], confidentialTo });
      await tenant.as('editor');
      await saveAccessGrant(tenant, guest, { file: file.id });
      const listed = { reasons: [{ kind: 'ConfidentialityList' }], moreReasons: false };
      expect(await readers(id)).toEqual([
        { userId: admin.userId, displayName: 'Ada', canWrite: true, ...listed },
        { userId: guest.userId, displayName: 'Gerda', canWrite: false, ...listed },
      ]);
      await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
      expect(await readerOf(guest, id)).toMatchObject({ canWrite: true });
    });

    it('returns 404 to everybody who is not on its list, as for an unknown document', async () => {
      const { id } = await saveDocument(tenant, admin, { fileIds: [file.id], confidentialTo: [guest] });
      const auditor = await tenant.as('auditor');
      for (const actor of [admin, auditor, await tenant.as('records_manager')]) {
        const [hidden, unknown] = [await send(actor, id), await send(actor, tenant.id)];
        expectProblem(hidden, 'resource.not-found');
        expect({ ...(hidden.body as object), instance: '' }).toEqual({
          ...(unknown.body as object),
          instance: '',
        });
      }
      // On the list, but without documents.read: the auditor still cannot read it.
      const { id: other } = await saveDocument(tenant, admin, { confidentialTo: [auditor] });
      expectProblem(await send(auditor, other), 'resource.not-found');
    });

    it('returns 404 for a cursor from before it became confidential', async () => {
      await tenant.as('viewer');
      const auditor = await tenant.as('auditor');
      const first = (await auditor.get(`/documents/${DOCUMENT}/access?limit=1`)).body as PageBody;
      await admin.put(`/documents/${DOCUMENT}/confidentiality`, { isConfidential: true }).expect(200);
      const next = `/documents/${DOCUMENT}/access?cursor=${first.nextCursor}`;
      expectProblem(await auditor.get(next), 'resource.not-found');
    });
  });

  describe('for a document in the bin', () => {
    it('returns 200 with members who see the bin only, to them and to auditors', async () => {
      const { id } = await saveDocument(tenant, admin, { status: 'Deleted', fileIds: [file.id] });
      const [editor, viewer, auditor] = [
        await tenant.as('editor'),
        await tenant.as('viewer'),
        await tenant.as('auditor'),
      ];
      const found = [await readers(id, admin), await readers(id, auditor)].map((list) =>
        list.map(({ userId }) => userId).sort(),
      );
      const expected = [admin.userId, editor.userId].sort();
      expect(found).toEqual([expected, expected]);
      expectProblem(await viewer.get(`/documents/${id}`), 'resource.not-found');
    });

    it('returns 404 to other callers', async () => {
      const { id } = await saveDocument(tenant, admin, { status: 'Deleted' });
      const member = await tenant.with('accessGrants.read', 'members.read', 'documents.read', 'files.read');
      expectProblem(await send(member, id), 'resource.not-found');
    });
  });

  describe('for a caller who cannot see all files of the document', () => {
    it('returns 200 with fileId null for these, and one reason for each grant', async () => {
      const hidden = [
        await saveFile(tenant, admin, { fileTypeId: file.fileTypeId }),
        await saveFile(tenant, admin),
      ];
      const fileIds = [...hidden.map(({ id }) => id), file.id];
      const { id } = await saveDocument(tenant, admin, { fileIds });
      const caller = await tenant.with('accessGrants.read', 'members.read', 'documents.read');
      await saveAccessGrant(tenant, caller, { file: file.id });
      await saveAccessGrant(tenant, guest, { file: hidden[1]?.id ?? '' });
      await saveAccessGrant(tenant, guest, { fileType: file.fileTypeId });
      expect(await readerOf(guest, id, caller)).toMatchObject({
        reasons: [
          { kind: 'GrantOnFile', fileId: null },
          { kind: 'GrantOnFileType', fileId: file.id },
        ],
      });
    });

    it('returns 200 to an auditor without any file, and 404 without auditLog.read', async () => {
      await saveAccessGrant(tenant, guest, { fileType: file.fileTypeId }, { toRole: true });
      const auditor = await tenant.as('auditor');
      expect(await readerOf(guest, DOCUMENT, auditor)).toMatchObject({
        reasons: [{ kind: 'GrantOnFileType', fileId: null }],
      });
      const member = await tenant.with('accessGrants.read', 'members.read', 'documents.read');
      expectProblem(await send(member), 'resource.not-found');
    });
  });
});
