import { Injectable } from '@nestjs/common';
import { type Message, message } from '../../../common/messages/message.js';
import { type ProblemCode } from '../../../common/messages/problems.js';
import { Problem } from '../../../common/problem.js';
import { type WriteTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { type DocumentEntity, type DocumentStatus } from '../document.entity.js';
import { DocumentLinksRepository } from './document-links.repository.js';

type DocumentState = Pick<DocumentEntity, 'id' | 'status'>;

interface Rule {
  readonly refusedWhile: Readonly<Partial<Record<DocumentStatus, () => Problem>>>;
  /** Whether the action is refused if one of the document’s files is closed, even if others are open. */
  readonly openFilesOnly: boolean;
  /** Whether the action is refused if an active hold contains the document or one of its files. */
  readonly unheldOnly?: boolean;
}

const problem = (code: ProblemCode, detail?: Message) => () => new Problem(code, { detail });
const DELETED = { Deleted: problem('document.deleted') };
/** A worker may be reading the content. */
const PROCESSING = { Processing: problem('document.processing') };
/** Allowed while the document is being processed: the worker does not touch these properties. */
const EDITING: Rule = {
  refusedWhile: { ...DELETED, Archived: problem('document.archived') },
  openFilesOnly: true,
};
const UNFILING: Rule = { refusedWhile: { ...DELETED, ...PROCESSING }, openFilesOnly: false };
const NOT_ARCHIVED = problem('document.not-archived');
const NOT_DELETED = problem('document.not-deleted');

/**
 * Filing, unfiling and moving also require the named files to be open, and the last two that the left file is not held.
 * DocumentChanges checks this: it is not part of the document’s state.
 */
const RULES = {
  /** Title, type and values. */
  Edit: { ...EDITING, unheldOnly: true },
  ReplaceContent: { ...EDITING, unheldOnly: true, refusedWhile: { ...EDITING.refusedWhile, ...PROCESSING } },
  Tag: EDITING,
  Untag: EDITING,
  File: { refusedWhile: DELETED, openFilesOnly: false },
  Unfile: UNFILING,
  Move: UNFILING,
  Archive: {
    refusedWhile: {
      ...DELETED,
      ...PROCESSING,
      Archived: problem('document.archived', message('document.already-archived')),
    },
    openFilesOnly: true,
  },
  Unarchive: {
    refusedWhile: { ...DELETED, Processing: NOT_ARCHIVED, Active: NOT_ARCHIVED },
    openFilesOnly: true,
  },
  Delete: { refusedWhile: { ...DELETED, ...PROCESSING }, openFilesOnly: true, unheldOnly: true },
  // Allowed in closed files: restoring does not file anything, the document never left the file.
  Restore: {
    refusedWhile: { Processing: NOT_DELETED, Active: NOT_DELETED, Archived: NOT_DELETED },
    openFilesOnly: false,
  },
} satisfies Readonly<Record<string, Rule>>;

/** Actions that depend on the state of a document. */
type DocumentAction = keyof typeof RULES;

/**
 * The states in which each action on a document is allowed (409 otherwise). The rules also apply to a write
 * that would change nothing.
 */
@Injectable()
export class DocumentRules {
  constructor(private readonly links: DocumentLinksRepository) {}

  /** For all actions except restoring. */
  requireNotDeleted({ status }: DocumentState): void {
    if (status === 'Deleted') throw new Problem('document.deleted');
  }

  /** The document must be locked. */
  async requireAllowed(tx: WriteTransaction, action: DocumentAction, document: DocumentState): Promise<void> {
    for (const refusal of (await this.refusals(tx, action, [document])).values()) throw refusal;
  }

  /** Returns the refusals by document id, only for refused documents. The documents must be locked. */
  async refusals(
    tx: WriteTransaction,
    action: DocumentAction,
    documents: readonly DocumentState[],
  ): Promise<Map<string, Problem>> {
    const { refusedWhile, openFilesOnly, unheldOnly = false }: Rule = RULES[action];
    const refusals = new Map<string, Problem>();
    for (const { id, status } of documents) {
      const refusal = refusedWhile[status]?.();
      if (refusal) refusals.set(id, refusal);
    }
    const others = documents.filter(({ id }) => !refusals.has(id));
    if (openFilesOnly && others.length > 0) {
      const ids = others.map(({ id }) => id);
      const { closed, held } = await this.links.lockFilesOf(tx, ids, { asksForHolds: unheldOnly });
      for (const id of held) refusals.set(id, new Problem('hold.active'));
      for (const id of closed) refusals.set(id, new Problem('file.closed'));
    }
    return refusals;
  }
}
