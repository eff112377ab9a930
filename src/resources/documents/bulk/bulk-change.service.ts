import { Injectable } from '@nestjs/common';
import { type Language } from '../../../common/messages/languages.js';
import {
  type FieldErrors,
  type Problem,
  invalid,
  missingPermission,
  notFound,
} from '../../../common/problem.js';
import { type WriteTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { GrantsReader } from '../../../platform/tenancy/access/grants.reader.js';
import { type DocumentChange, DocumentChanges } from '../changes/document-changes.js';
import { DocumentChangesRepository } from '../changes/document-changes.repository.js';
import {
  DocumentLinksRepository,
  type MovedBetween,
  type TargetFile,
  addNotFoundErrors,
} from '../changes/document-links.repository.js';
import { afterStateChange } from '../contents/word-changes.repository.js';
import {
  BULK_ACTIONS,
  type BulkAction,
  type BulkChangeBody,
  type BulkChangeResponse,
  presentBulkResult,
} from './bulk-change.dto.js';

/**
 * Changes many documents in one transaction. Makes the changes that are possible and reports the others as
 * refused.
 */
@Injectable()
export class BulkChangeService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly documents: DocumentChangesRepository,
    private readonly links: DocumentLinksRepository,
    private readonly grants: GrantsReader,
    private readonly changes: DocumentChanges,
  ) {}

  change(caller: Caller, body: BulkChangeBody, language: Language): Promise<BulkChangeResponse> {
    const { documentIds } = body;
    const change = async (tx: WriteTransaction) => {
      const visible = await this.documents.lockVisible(tx, caller, documentIds);
      const lockedChange = await this.lockTargets(tx, caller, body);
      const permittedIds = await this.permitted(tx, caller, lockedChange, documentIds);
      const byId = new Map(visible.map((document) => [document.id, document]));
      const documents = documentIds.flatMap((id) => (permittedIds.has(id) && byId.get(id)) || []);
      const outcomes = await this.changes.apply(tx, lockedChange, documents);
      const changed = [...outcomes].flatMap(([id, outcome]) => (outcome === 'Done' ? [id] : []));
      await afterStateChange(tx, lockedChange.action, changed);
      const results = documentIds.map((id) => {
        // Hide whether the document exists from callers who may not make this change.
        const outcome = permittedIds.has(id) ? outcomes.get(id) : missing(body.action);
        return presentBulkResult(id, outcome ?? notFound(), language);
      });
      return { results };
    };
    return this.uow.write(caller, change, (tx, answer) => this.authorizeRepeat(tx, caller, body, answer));
  }

  /** Locks the tags or files, so that they cannot be deleted before the commit. */
  private async lockTargets(
    tx: WriteTransaction,
    caller: Caller,
    body: BulkChangeBody,
  ): Promise<DocumentChange> {
    const { action } = body;
    const errors: FieldErrors = {};
    switch (action) {
      case 'Tag':
      case 'Untag': {
        const tagIds = body.tagIds ?? [];
        const tags = await this.links.lockTags(tx, tagIds);
        addNotFoundErrors('tagIds', tagIds, tags, errors);
        if (Object.keys(errors).length > 0) throw invalid(errors);
        return { action, tags };
      }
      case 'File':
      case 'Unfile': {
        const fileIds = body.fileIds ?? [];
        const files = await this.links.lockFiles(tx, caller, fileIds, { asksForHolds: action === 'Unfile' });
        addNotFoundErrors('fileIds', fileIds, files, errors);
        if (Object.keys(errors).length > 0) throw invalid(errors);
        return { action, files };
      }
      case 'Move': {
        const { fromFileId, toFileId } = body as MovedBetween;
        return { action, files: await this.links.lockMove(tx, caller, { fromFileId, toFileId }) };
      }
      default:
        return { action };
    }
  }

  /**
   * Returns the ids of the documents that the caller may change, whether or not these documents exist. All
   * ids if the caller’s role allows the change, or if Write grants cover every named file; otherwise the
   * documents in files with a Write grant. Throws 403 if there are none.
   */
  private async permitted(
    tx: WriteTransaction,
    caller: Caller,
    { action, files = [] }: { action: BulkAction; files?: readonly TargetFile[] },
    documentIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const all = new Set(documentIds);
    if (caller.has(BULK_ACTIONS[action].permission)) return all;
    if (files.length > 0 && files.every(({ hasWriteGrant }) => hasWriteGrant)) return all;
    if (action === 'Tag' || action === 'Untag') {
      const covered = await this.grants.coveredAmong(tx, caller, documentIds, 'Write');
      if (covered.size > 0) return covered;
    }
    throw missing(action);
  }

  /**
   * Called before a repeated request gets the stored results. Throws 403 unless the caller still may change every
   * document whose result was not `permission.missing`.
   */
  private async authorizeRepeat(
    tx: WriteTransaction,
    caller: Caller,
    body: BulkChangeBody,
    { results }: BulkChangeResponse,
  ): Promise<void> {
    const { action, documentIds } = body;
    const fileIds = fileIdsOf(body);
    const files = await this.links.lockFiles(tx, caller, fileIds);
    // No grant covers a file that was deleted or is no longer visible.
    if (files.length < fileIds.length && !caller.has(BULK_ACTIONS[action].permission)) {
      throw missing(action);
    }
    const permitted = await this.permitted(tx, caller, { action, files }, documentIds);
    const allowedResults = results.filter(({ problem }) => problem?.type !== '/problems/permission.missing');
    if (allowedResults.some(({ documentId }) => !permitted.has(documentId))) throw missing(action);
  }
}

function missing(action: BulkAction): Problem {
  return missingPermission(BULK_ACTIONS[action].permission);
}

/** The ids of the body’s files; only File, Unfile and Move have any. */
function fileIdsOf({ fileIds, fromFileId, toFileId }: BulkChangeBody): string[] {
  return [...(fileIds ?? []), ...(fromFileId ? [fromFileId] : []), ...(toFileId ? [toFileId] : [])];
}
