import { Injectable } from '@nestjs/common';
import { Problem } from '../../../common/problem.js';
import { type AuditAction } from '../../../common/vocabulary/audit.js';
import { type WriteTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import {
  type ChangingDocument,
  DocumentChangesRepository,
  type StateAction,
} from './document-changes.repository.js';
import {
  type AddedLinks,
  DocumentLinksRepository,
  type Link,
  type TargetFile,
  type TargetTag,
} from './document-links.repository.js';
import { DocumentRules } from './document-rules.js';

/** A change of documents. Its tags and files exist and are locked. */
export type DocumentChange =
  | { readonly action: 'Tag' | 'Untag'; readonly tags: readonly TargetTag[] }
  | { readonly action: 'File' | 'Unfile'; readonly files: readonly TargetFile[] }
  | { readonly action: 'Move'; readonly files: readonly [from: TargetFile, to: TargetFile] }
  | { readonly action: StateAction };

/** `Unchanged`: the document already is in the requested state. A problem: the change is refused. */
export type ChangeOutcome = 'Done' | 'Unchanged' | Problem;

const AUDIT_ACTIONS = {
  Tag: 'DocumentTagged',
  Untag: 'DocumentUntagged',
  File: 'DocumentFiled',
  Unfile: 'DocumentUnfiled',
  Archive: 'DocumentArchived',
  Unarchive: 'DocumentUnarchived',
  Delete: 'DocumentDeleted',
  Restore: 'DocumentRestored',
} as const satisfies Readonly<Record<Exclude<DocumentChange['action'], 'Move'>, AuditAction>>;

/**
 * Changes links and states of one document or many: checks the rules, writes the rows and `updated_at`, and
 * records audit entries and notifications. The number of statements does not depend on the number of
 * documents.
 */
@Injectable()
export class DocumentChanges {
  constructor(
    private readonly rules: DocumentRules,
    private readonly links: DocumentLinksRepository,
    private readonly documents: DocumentChangesRepository,
  ) {}

  /**
   * Makes the possible changes and returns the result for each document id. The documents must be locked. A
   * document gets all tags or files of the change, or none.
   */
  async apply(
    tx: WriteTransaction,
    change: DocumentChange,
    documents: readonly ChangingDocument[],
  ): Promise<Map<string, ChangeOutcome>> {
    const refusals = await this.refusals(tx, change, documents);
    const allowed = documents.filter(({ id }) => !refusals.has(id));
    const changed =
      allowed.length > 0 ? await this.applyAllowed(tx, change, allowed, refusals) : new Set<string>();
    return new Map(
      documents.map(({ id }) => [id, refusals.get(id) ?? (changed.has(id) ? 'Done' : 'Unchanged')]),
    );
  }

  /** Throws if the change is refused. */
  async applyTo(tx: WriteTransaction, change: DocumentChange, document: ChangingDocument): Promise<void> {
    for (const outcome of (await this.apply(tx, change, [document])).values()) {
      if (outcome instanceof Problem) throw outcome;
    }
  }

  private async refusals(
    tx: WriteTransaction,
    change: DocumentChange,
    documents: readonly ChangingDocument[],
  ): Promise<Map<string, Problem>> {
    const refusals = await this.rules.refusals(tx, change.action, documents);
    const refusal = 'files' in change ? refusalOfFiles(change) : null;
    if (refusal) {
      for (const { id } of documents) {
        if (!refusals.has(id)) refusals.set(id, new Problem(refusal));
      }
    }
    return refusals;
  }

  /**
   * Returns the ids of the documents that changed.
   *
   * @param refusals receives refusals that are found only while writing; these documents stay unchanged
   */
  private async applyAllowed(
    tx: WriteTransaction,
    change: DocumentChange,
    documents: readonly ChangingDocument[],
    refusals: Map<string, Problem>,
  ): Promise<Set<string>> {
    const ids = idsOf(documents);
    if ('tags' in change) {
      const { action, tags } = change;
      const links =
        action === 'Tag'
          ? refuseOverLimit(await this.links.add(tx, 'tags', ids, idsOf(tags)), refusals)
          : await this.links.remove(tx, 'tags', ids, idsOf(tags));
      return this.recordLinks(tx, documents, tags, links, (document, tag) =>
        recordTagging(tx, AUDIT_ACTIONS[action], document, tag),
      );
    }
    if (change.action === 'Move') return this.move(tx, change, documents, refusals);
    if ('files' in change) {
      const { action, files } = change;
      const links =
        action === 'File'
          ? refuseOverLimit(await this.links.add(tx, 'files', ids, idsOf(files)), refusals)
          : await this.links.remove(tx, 'files', ids, idsOf(files));
      return this.recordLinks(tx, documents, files, links, (document, file) =>
        recordFiling(tx, AUDIT_ACTIONS[action], document, file),
      );
    }
    await this.documents.update(tx, ids, change.action);
    for (const { id, title } of documents) {
      tx.record({ action: AUDIT_ACTIONS[change.action], subjectId: id, summary: title });
    }
    return new Set(ids);
  }

  /** Refuses documents that are in neither file. A document that is only in the second one stays unchanged. */
  private async move(
    tx: WriteTransaction,
    { files: [from, to] }: Extract<DocumentChange, { action: 'Move' }>,
    documents: readonly ChangingDocument[],
    refusals: Map<string, Problem>,
  ): Promise<Set<string>> {
    const removed = await this.links.remove(tx, 'files', idsOf(documents), [from.id]);
    const ids = removed.map(({ documentId }) => documentId);
    const others = idsOf(documents).filter((id) => !ids.includes(id));
    const filed = await this.links.filedIn(tx, others, to.id);
    for (const id of others) {
      if (!filed.has(id)) refusals.set(id, new Problem('document.not-in-file'));
    }
    // At most as many files as before, so that no document exceeds the limit.
    const { links: added } = await this.links.add(tx, 'files', ids, [to.id]);
    return this.recordLinks(tx, documents, [from, to], [...removed, ...added], (document, file) =>
      recordFiling(tx, file === from ? 'DocumentUnfiled' : 'DocumentFiled', document, file),
    );
  }

  /** Records the changed links, document by document, and updates `updated_at` of the documents. */
  private async recordLinks<T extends { readonly id: string }>(
    tx: WriteTransaction,
    documents: readonly ChangingDocument[],
    targets: readonly T[],
    links: readonly Link[],
    record: (document: ChangingDocument, target: T) => void,
  ): Promise<Set<string>> {
    const changed = new Set(links.map(({ documentId }) => documentId));
    if (changed.size === 0) return changed;
    await this.documents.update(tx, [...changed]);
    const isChanged = new Set(links.map(({ documentId, targetId }) => `${documentId} ${targetId}`));
    for (const document of documents) {
      for (const target of targets) {
        if (isChanged.has(`${document.id} ${target.id}`)) record(document, target);
      }
    }
    return changed;
  }
}

/** Why nothing can be filed into the files or unfiled from them; null if it can. */
function refusalOfFiles({
  action,
  files,
}: Extract<DocumentChange, { files: unknown }>): 'file.closed' | 'hold.active' | null {
  if (files.some(({ status }) => status === 'Closed')) return 'file.closed';
  if (action === 'File') return null;
  const left = action === 'Move' ? files.slice(0, 1) : files;
  return left.some(({ isHeld }) => isHeld) ? 'hold.active' : null;
}

function refuseOverLimit({ links, overLimit }: AddedLinks, refusals: Map<string, Problem>): Link[] {
  for (const id of overLimit) refusals.set(id, new Problem('document.too-many-links'));
  return links;
}

function idsOf(targets: readonly { readonly id: string }[]): string[] {
  return targets.map(({ id }) => id);
}

/** Records the audit entry, and the notification of the document’s creator. */
export function recordFiling(
  tx: WriteTransaction,
  action: 'DocumentFiled' | 'DocumentUnfiled',
  { id, title, createdBy }: Pick<ChangingDocument, 'id' | 'title' | 'createdBy'>,
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
  { id, title }: Pick<ChangingDocument, 'id' | 'title'>,
  { id: tagId, name }: TargetTag,
): void {
  tx.record({ action, subjectId: id, summary: `${title}: ${name}`, related: { tagId } });
}
