import { type WriteTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { type DocumentEntity } from '../document.entity.js';
import { type TargetFile, type TargetTag } from './document-links.repository.js';

type Filed = Pick<DocumentEntity, 'id' | 'title' | 'createdBy'>;
type Tagged = Pick<DocumentEntity, 'id' | 'title'>;

/** Audit entry and notification of a document that was filed into a file. */
export function recordFiled(tx: WriteTransaction, document: Filed, file: TargetFile): void {
  tx.record({
    action: 'DocumentFiled',
    subjectId: document.id,
    summary: `${document.title} → ${nameOf(file)}`,
  });
  tx.notify(document.createdBy, 'DocumentFiled', notice(tx, document, file));
}

/** The same of one that was taken out. */
export function recordUnfiled(tx: WriteTransaction, document: Filed, file: TargetFile): void {
  tx.record({
    action: 'DocumentUnfiled',
    subjectId: document.id,
    summary: `${document.title} ← ${nameOf(file)}`,
  });
  tx.notify(document.createdBy, 'DocumentUnfiled', notice(tx, document, file));
}

export function recordTagged(tx: WriteTransaction, { id, title }: Tagged, { name }: TargetTag): void {
  tx.record({ action: 'DocumentTagged', subjectId: id, summary: `${title}: ${name}` });
}

export function recordUntagged(tx: WriteTransaction, { id, title }: Tagged, { name }: TargetTag): void {
  tx.record({ action: 'DocumentUntagged', subjectId: id, summary: `${title}: ${name}` });
}

function notice({ actorName }: WriteTransaction, document: Filed, file: TargetFile) {
  return {
    documentId: document.id,
    documentTitle: document.title,
    fileId: file.id,
    fileNumber: file.number,
    fileName: file.name,
    actorName,
  };
}

function nameOf({ number, name }: TargetFile): string {
  return `${number}: ${name}`;
}
