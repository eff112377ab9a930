import { type Actor } from '../support/actor.js';
import { type TestTenant } from '../support/tenant.js';
import { saveAccessGrant } from './access-grants.js';
import { entryWithLeaf, saveCheckpoints } from './audit-log.js';
import { saveContentText } from './document-texts.js';
import { savePreview } from './document-previews.js';
import { saveDisposal } from './disposals.js';
import { saveDocument, saveTag, saveVersion } from './documents.js';
import { saveExport } from './exports.js';
import { saveFile, saveFileType } from './files.js';
import { saveHold } from './holds.js';
import { saveInvitation } from './invitations.js';
import { saveNumbering } from './numberings.js';
import { saveNotification } from './notifications.js';
import { saveRetention } from './retentions.js';
import { saveRole } from './roles.js';
import { saveTypeWithAllFieldTypes, saveView } from './saved-views.js';
import { saveDelivery, saveWebhook } from './webhooks.js';

/** Ids of existing resources, by the name of the path parameter. */
export type Ids = Readonly<Record<string, string>>;

/**
 * Inserts one resource for each path parameter of the API. The file contains a document with a tag, two contents and
 * twelve pages of text that is confidential to both administrators.
 */
export async function saveSamples(tenant: TestTenant, admin: Actor, other: Actor): Promise<Ids> {
  const member = await tenant.as('viewer');
  const [fileTypeId, documentTypeId] = [
    (await saveFileType(tenant)).id,
    (await saveTypeWithAllFieldTypes(tenant)).id,
  ];
  await saveNumbering(tenant, fileTypeId, 'AZ-{yyyy}/{seq:4}');
  await saveRetention(tenant, fileTypeId, 'P10Y');
  const fileId = (await saveFile(tenant, admin, { fileTypeId })).id;
  const tagId = (await saveTag(tenant)).id;
  const documentId = (
    await saveDocument(tenant, admin, { fileIds: [fileId], tagIds: [tagId], confidentialTo: [admin, other] })
  ).id;
  await saveVersion(tenant, admin, documentId, { bytes: 'first' });
  await saveVersion(tenant, admin, documentId, { bytes: 'second', mediaType: 'application/pdf' });
  await savePreview(tenant, documentId, { version: 2 });
  await saveContentText(
    tenant,
    documentId,
    Array.from({ length: 12 }, (_, n) => `Seite ${n + 1}`).join('\f'),
  );
  await saveNotification(tenant, admin);
  const heldIds = [(await saveFile(tenant, admin)).id, (await saveFile(tenant, admin)).id];
  const holdId = (await saveHold(tenant, admin, { fileIds: heldIds })).id;
  await saveHold(tenant, admin, { fileIds: [fileId], documentIds: [documentId], isReleased: true });
  const completedDisposalId = (await saveDisposal(tenant, admin, { fileTypeId, status: 'Completed' })).id;
  const disposalId = (await saveDisposal(tenant, admin, { fileTypeId, fileIds: [fileId, ...heldIds] })).id;
  await saveCheckpoints(tenant);
  const webhookId = (await saveWebhook(tenant, admin)).id;
  return {
    fileTypeId,
    documentTypeId,
    fileId,
    tagId,
    documentId,
    userId: member.userId,
    roleId: (await saveRole(tenant, ['files.read', 'documents.read'])).id,
    savedViewId: (await saveView(tenant, admin)).id,
    invitationId: (await saveInvitation(tenant, admin)).id,
    grantId: await saveAccessGrant(tenant, member, { file: fileId }),
    notificationId: await saveNotification(tenant, admin),
    holdId,
    disposalId,
    completedDisposalId,
    webhookId,
    deliveryId: (await saveDelivery(tenant, webhookId)).id,
    auditEntryId: await entryWithLeaf(tenant),
    exportId: (await saveExport(tenant, admin, { bytes: 'packed' })).id,
    number: '1',
    code: 'request.invalid',
  };
}
