import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveDocument } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

const NONE = { canRead: false, canWrite: false, reasons: [], moreReasons: false };

describe('GetMemberAccess', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let guest: Actor;
  let file: { id: string; fileTypeId: string };
  let document: { id: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
    guest = await tenant.as('guest');
    file = await saveFile(tenant, admin);
    document = await saveDocument(tenant, admin, { fileIds: [file.id] });
  });

  const send = (query: string, actor = admin, { userId }: { userId: string } = guest) =>
    actor.get(`/members/${userId}/access${query}`);
  const accessTo = async (
    subject: { file: string } | { document: string },
    member = guest,
    actor = admin,
  ) => {
    const query = 'file' in subject ? `?fileId=${subject.file}` : `?documentId=${subject.document}`;
    const response = await send(query, actor, member);
    expect(response.status).toBe(200);
    return response.body as object;
  };

  it('returns 403 without members.read', async () => {
    const member = await tenant.with('accessGrants.read', 'files.read');
    expectProblem(await send(`?fileId=${file.id}`, member), 'permission.missing');
  });

  it.each<[string, (file: string, document: string) => string, string[]]>([
    ['neither file nor document', () => '', ['fileId']],
    ['both', (file, document) => `?fileId=${file}&documentId=${document}`, ['fileId']],
    ['a malformed id of a file', () => '?fileId=1', ['fileId']],
    ['a malformed id of a document', (_, document) => `?documentId=${document}0`, ['documentId']],
    ['an empty id', () => '?documentId=', ['documentId']],
    ['an id given twice', (file) => `?fileId=${file}&fileId=${file}`, ['fileId']],
  ])('returns 400 for %s', async (_, query, paths) => {
    expectProblem(await send(query(file.id, document.id)), 'request.invalid', paths);
    // Also for a member who does not exist: the request alone decides.
    const unknown = await send(query(file.id, document.id), admin, { userId: randomUUID() });
    expectProblem(unknown, 'request.invalid', paths);
  });

  it('returns 404 for an unknown file or document, those of another tenant, and each under the name of the other', async () => {
    const elsewhere = await service.tenant();
    const author = await elsewhere.as('editor');
    const foreign = await saveFile(elsewhere, author);
    const foreignDocument = await saveDocument(elsewhere, author);
    for (const query of [
      ...[randomUUID(), foreign.id, document.id].map((id) => `?fileId=${id}`),
      ...[randomUUID(), foreignDocument.id, file.id].map((id) => `?documentId=${id}`),
    ])
      expectProblem(await send(query), 'resource.not-found');
  });

  it('returns 404 for a removed member', async () => {
    expect((await admin.delete(`/members/${guest.userId}`)).status).toBe(204);
    expectProblem(await send(`?fileId=${file.id}`), 'resource.not-found');
  });

  it('returns 200 with the same reasons as the lists', async () => {
    await saveAccessGrant(tenant, guest, { fileType: file.fileTypeId }, { level: 'Write' });
    for (const [path, subject] of [
      [`/files/${file.id}/access`, { file: file.id.toUpperCase() }],
      [`/documents/${document.id}/access`, { document: document.id.toUpperCase() }],
    ] as const) {
      const { items } = (await admin.get(path)).body as { items: { userId: string }[] };
      for (const member of [admin, guest]) {
        const listed: Record<string, unknown> = {
          ...items.find(({ userId }) => userId === member.userId),
          ...{ canRead: true, missing: [] },
        };
        delete listed.userId;
        delete listed.displayName;
        expect(await accessTo(subject, member)).toEqual(listed);
      }
    }
  });

  describe('for a file', () => {
    it('returns 200 with NoGrant without files.read and a valid grant', async () => {
      await saveAccessGrant(tenant, guest, { file: file.id }, { expiresAt: `now() - interval '1 second'` });
      await saveAccessGrant(tenant, guest, { file: file.id }, { revoked: true });
      expect(await accessTo({ file: file.id })).toEqual({ ...NONE, missing: ['NoGrant'] });
    });

    it('returns 404 to a caller who cannot see it; 200 with auditLog.read', async () => {
      const member = await tenant.with('accessGrants.read', 'members.read');
      expectProblem(await send(`?fileId=${file.id}`, member), 'resource.not-found');
      const auditor = await tenant.as('auditor');
      expect(await accessTo({ file: file.id }, guest, auditor)).toEqual({ ...NONE, missing: ['NoGrant'] });
    });
  });

  describe('for a document', () => {
    it('returns 200 with NotPermitted without documents.read, besides what else fails', async () => {
      const [member, reader] = [await tenant.with('files.create'), await tenant.with('files.read')];
      expect(await accessTo({ document: document.id }, member)).toEqual({
        ...NONE,
        missing: ['NotPermitted', 'NoGrant'],
      });
      expect(await accessTo({ document: document.id }, reader)).toEqual({
        ...NONE,
        missing: ['NotPermitted'],
      });
    });

    it('returns 200 with InBin for members who cannot see the bin', async () => {
      const { id } = await saveDocument(tenant, guest, { status: 'Deleted' });
      expect(await accessTo({ document: id })).toEqual({ ...NONE, missing: ['InBin'] });
      const viewer = await tenant.as('viewer');
      expect(await accessTo({ document: id }, viewer)).toEqual({ ...NONE, missing: ['InBin'] });
      expect(await accessTo({ document: id }, admin)).toMatchObject({ canRead: true, missing: [] });
    });

    it('returns 200 with NotOnConfidentialityList to a caller on the list, whatever the member may see', async () => {
      const { id } = await saveDocument(tenant, guest, { fileIds: [file.id], confidentialTo: [admin] });
      await saveAccessGrant(tenant, guest, { file: file.id });
      for (const member of [guest, await tenant.as('records_manager')])
        expect(await accessTo({ document: id }, member)).toEqual({
          ...NONE,
          missing: ['NotOnConfidentialityList'],
        });
    });

    it('returns 200 with every condition that fails', async () => {
      const confidentialTo = [admin];
      const { id } = await saveDocument(tenant, admin, { status: 'Deleted', confidentialTo });
      const member = await tenant.with('files.create');
      expect(await accessTo({ document: id }, member)).toEqual({
        ...NONE,
        missing: ['NotPermitted', 'NotOnConfidentialityList', 'InBin'],
      });
    });

    it('returns 404 to callers who are not on the list, also to auditors and about listed members', async () => {
      const { id } = await saveDocument(tenant, admin, { confidentialTo: [guest] });
      for (const actor of [admin, await tenant.as('auditor')])
        for (const member of [guest, actor])
          expectProblem(await send(`?documentId=${id}`, actor, member), 'resource.not-found');
    });

    it('returns 200 to an auditor for a document that is not confidential, in the bin or not', async () => {
      const auditor = await tenant.as('auditor');
      const { id } = await saveDocument(tenant, admin, { status: 'Deleted' });
      expect(await accessTo({ document: document.id }, admin, auditor)).toMatchObject({ canRead: true });
      expect(await accessTo({ document: id }, admin, auditor)).toMatchObject({ canRead: true });
    });
  });
});
