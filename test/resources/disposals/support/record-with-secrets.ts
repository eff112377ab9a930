import { saveAccessGrant } from '../../../factories/access-grants.js';
import { buildField, saveDocumentType } from '../../../factories/document-types.js';
import { upload } from '../../../factories/documents.js';
import { savePreview } from '../../../factories/document-previews.js';
import { saveFileType } from '../../../factories/files.js';
import { saveRetention } from '../../../factories/retentions.js';
import { type Actor } from '../../../support/actor.js';
import { waitUntilProcessed } from '../../../support/wait-until-processed.js';
import { SECRETS } from './secrets.js';

export interface RecordWithSecrets {
  readonly fileTypeId: string;
  readonly fileId: string;
  readonly documentId: string;
  readonly confidentialId: string;
  /** In the file, and in another one. */
  readonly stayingId: string;
  readonly tagId: string;
  readonly grantId: string;
  readonly releasedHoldId: string;
}

type Created = Readonly<{ id: string }>;

/** A file with documents, made by requests, whose texts are {@link SECRETS}. Its documents have been read. */
export async function createRecord(actor: Actor, otherFileId: string): Promise<RecordWithSecrets> {
  const { tenant } = actor;
  const idOf = async (request: PromiseLike<{ readonly body: unknown }>) =>
    ((await request).body as Created).id;
  const fileTypeId = (await saveFileType(tenant, { key: 'secret' })).id;
  await saveRetention(tenant, fileTypeId, 'P1Y');
  const documentTypeId = (await saveDocumentType(tenant, { fields: [buildField('note')] })).id;
  const tagId = await idOf(actor.post('/tags', { name: SECRETS.tag }).expect(201));
  const file = { fileTypeId, number: SECRETS.number, name: SECRETS.formerName };
  const fileId = await idOf(actor.post('/files', file).set('Idempotency-Key', 'secret').expect(201));
  await actor.put(`/files/${fileId}`, { name: SECRETS.name }).expect(200);

  const create = async (title: string, rest: object = {}) => {
    const document = { title, documentTypeId, fields: { note: SECRETS.field }, tagIds: [tagId], ...rest };
    const content = {
      bytes: `${title} ${SECRETS.text}`,
      fileName: `${SECRETS.fileName}.txt`,
      mediaType: 'text/plain',
    };
    const created = upload(actor, { ...document, fileIds: [fileId] }, content);
    const id = await idOf(created.set('Idempotency-Key', title).expect(201));
    await waitUntilProcessed(tenant, id);
    return id;
  };
  const documentId = await create(SECRETS.title);
  await savePreview(tenant, documentId, { version: 1, image: Buffer.from(SECRETS.text) });
  const confidentialId = await create(SECRETS.confidential, { isConfidential: true });
  await actor.delete(`/documents/${await create(SECRETS.deleted)}`).expect(204);
  const stayingId = await idOf(
    actor.post('/documents', { title: 'Stays', fileIds: [otherFileId] }).expect(201),
  );
  await actor.put(`/documents/${stayingId}/files/${fileId}`).expect(204);

  const guest = await tenant.as('guest');
  const subject = { subjectType: 'User', subjectId: guest.userId };
  const target = { targetType: 'File', targetId: fileId, level: 'Read', reason: SECRETS.reason };
  const granted = actor.post('/access-grants', { ...subject, ...target }).set('Idempotency-Key', 'secret');
  const grantId = await idOf(granted.expect(201));
  await saveAccessGrant(tenant, guest, { file: fileId }, { revoked: true });
  const releasedHoldId = await idOf(actor.post('/holds', { name: 'Hold', reason: 'Lawsuit' }).expect(201));
  await actor
    .post(`/holds/${releasedHoldId}/items`, { fileIds: [fileId], documentIds: [documentId, confidentialId] })
    .expect(204);
  await actor.post(`/holds/${releasedHoldId}/release`).expect(200);
  return {
    ...{ fileTypeId, fileId, documentId, confidentialId, stayingId },
    ...{ tagId, grantId, releasedHoldId },
  };
}
