import { randomUUID } from 'node:crypto';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { upload } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { waitUntilProcessed } from '../../../support/wait-until-processed.js';
import { type TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';

/** A tenant in which a document is hidden, and the users who must not be able to notice it. */
export interface ConfidentialityFixture {
  readonly tenant: TestTenant;
  /** The files, tag and type of the hidden document. An open document has the same tag, type and first file. */
  readonly fileId: string;
  readonly otherFileId: string;
  readonly tagId: string;
  readonly documentTypeId: string;
  readonly fileTypeId: string;
  readonly openId: string;
  readonly roleId: string;
  /** The only user on the access list of the hidden document. */
  readonly listed: Actor;
  /** Created the hidden document and was removed from its access list. */
  readonly creator: Actor;
  /** An administrator who is not an observer and prepares the data. */
  readonly administrator: Actor;
  readonly observers: Readonly<Record<Observer, Actor>>;
}

export const OBSERVERS = [
  'an administrator',
  'a records manager',
  'a manager of access lists without documents.read',
  'another editor',
  'its creator, removed from its list',
  'a guest with a Write grant on its file',
  'an auditor',
  'a user without membership',
  'an administrator of another tenant',
] as const;
export type Observer = (typeof OBSERVERS)[number];

export const HIDDEN_TITLE = 'Abmahnung Zacharias';

export async function createConfidentialityFixture(service: TestService): Promise<ConfidentialityFixture> {
  const [tenant, elsewhere] = [await service.tenant(), await service.tenant()];
  const administrator = await tenant.as('administrator', 'Chief');
  const creator = await tenant.as('editor', 'Creator');
  const guest = await tenant.as('guest');
  const file = await saveFile(tenant, administrator, { name: 'Personalakte' });
  const otherFile = await saveFile(tenant, administrator);
  await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
  const made = async (path: string, body: object) =>
    ((await administrator.post(path, body).expect(201)).body as { id: string }).id;
  const tagId = await made('/tags', { name: 'dringend' });
  const label = { labelDe: 'Feld', labelEn: 'Field', required: false };
  const documentTypeId = await made('/document-types', {
    key: 'letter',
    nameDe: 'Brief',
    nameEn: 'Letter',
    fields: [
      { key: 'note', type: 'Text', ...label },
      { key: 'answers', type: 'Reference', referenceTarget: 'Document', ...label },
    ],
  });
  const openId = await made('/documents', {
    title: 'Zeugnis',
    documentTypeId,
    fields: { note: 'offen' },
    fileIds: [file.id],
    tagIds: [tagId],
  });
  return {
    tenant,
    fileId: file.id,
    otherFileId: otherFile.id,
    tagId,
    documentTypeId,
    fileTypeId: file.fileTypeId,
    openId,
    roleId: await tenant.roleId('guest'),
    listed: await tenant.as('editor', 'Listed'),
    creator,
    administrator,
    observers: {
      'an administrator': await tenant.as('administrator'),
      'a records manager': await tenant.as('records_manager'),
      'a manager of access lists without documents.read': await tenant.with(
        'documents.confidential.manage',
        'auditLog.read',
      ),
      'another editor': await tenant.as('editor'),
      'its creator, removed from its list': creator,
      'a guest with a Write grant on its file': guest,
      'an auditor': await tenant.as('auditor'),
      'a user without membership': await tenant.nonMember(),
      'an administrator of another tenant': await elsewhere.as('administrator'),
    },
  };
}

/** The ways in which a document becomes hidden. Each leaves as many traces as possible: versions, notifications, links. */
export const HIDING_METHODS = {
  'is created as confidential': (fixture: ConfidentialityFixture) => hide(fixture, { isConfidential: true }),
  'becomes confidential later': (fixture: ConfidentialityFixture) => hide(fixture, { isConfidential: false }),
  'is confidential and in the bin': async (fixture: ConfidentialityFixture) => {
    const id = await hide(fixture, { isConfidential: true });
    await fixture.listed.delete(`/documents/${id}`).expect(204);
    return id;
  },
} as const;

async function hide(
  fixture: ConfidentialityFixture,
  { isConfidential }: { isConfidential: boolean },
): Promise<string> {
  const { creator, listed, administrator, fileId, otherFileId, tagId, documentTypeId, openId } = fixture;
  const fields = { note: HIDDEN_TITLE, answers: openId };
  const document = { title: HIDDEN_TITLE, documentTypeId, fields, tagIds: [tagId], isConfidential };
  // An unreadable PDF, so that its creator gets a notification about it.
  const content = { bytes: `%PDF-1.7\n${randomUUID()}` };
  const created = await upload(creator, { ...document, fileIds: [fileId] }, content).expect(201);
  const { id } = created.body as { id: string };
  await waitUntilProcessed(fixture.tenant, id);
  const path = `/documents/${id}`;
  if (!isConfidential) {
    // The creator gets a notification about this.
    await administrator.put(`${path}/files/${otherFileId}`).expect(204);
    await creator.put(`${path}/confidentiality`, { isConfidential: true }).expect(200);
  }
  await creator.put(`${path}/confidential-access/${listed.userId}`).expect(204);
  await listed.put(path, { title: `${HIDDEN_TITLE} II`, documentTypeId, fields }).expect(200);
  await listed.put(`${path}/files/${otherFileId}`).expect(204);
  await listed.get(`${path}/content`).expect(200);
  await listed.post(`${path}/archive`).expect(200);
  await listed.post(`${path}/unarchive`).expect(200);
  await administrator.delete(`${path}/confidential-access/${creator.userId}`).expect(204);
  return id;
}
