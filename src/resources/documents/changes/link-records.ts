import { type WriteTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { type DocumentEntity } from '../document.entity.js';
import { type TargetFile, type TargetTag } from './document-links.repository.js';

/** Records the audit entry, and the notification of the document’s creator. */
export function recordFiling(
  tx: WriteTransaction,
  action: 'DocumentFiled' | 'DocumentUnfiled',
  { id, title, createdBy }: Pick<DocumentEntity, 'id' | 'title' | 'createdBy'>,
  { id: fileId, number: fileNumber, name: fileName }: TargetFile,
): void {
  const arrow = action === 'DocumentFiled' ? '→' : '←';
  tx.record({
    action,
    subjectId: id,
    summary: `${title} ${arrow} ${fileNumber}: ${fileName}`,
    related: { fileId },
  });
  const { actorName } = tx;
  tx.notify(createdBy, action, {
    documentId: id,
    documentTitle: title,
    fileId,
    fileNumber,
    fileName,
    actorName,
  });
}

export function recordTagging(
  tx: WriteTransaction,
  action: 'DocumentTagged' | 'DocumentUntagged',
  { id, title }: Pick<DocumentEntity, 'id' | 'title'>,
  { id: tagId, name }: TargetTag,
): void {
  tx.record({ action, subjectId: id, summary: `${title}: ${name}`, related: { tagId } });
}
