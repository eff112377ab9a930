import { Injectable } from '@nestjs/common';
import { type Message, message } from '../../../common/messages/message.js';
import { type ProblemCode } from '../../../common/messages/problems.js';
import { Problem } from '../../../common/problem.js';
import { type WriteTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { type DocumentEntity, type DocumentStatus } from '../document.entity.js';
import { DocumentLinksRepository } from './document-links.repository.js';

type DocumentState = Pick<DocumentEntity, 'id' | 'status'>;

/** What is done with a document that depends on its state. */
type DocumentAction =
  | 'Edit'
  | 'ReplaceContent'
  | 'Tag'
  | 'Untag'
  | 'File'
  | 'Unfile'
  | 'Archive'
  | 'Unarchive'
  | 'Delete'
  | 'Restore';

interface Rule {
  /** What a document in this state is refused with. */
  readonly refusedWhile: Readonly<Partial<Record<DocumentStatus, () => Problem>>>;
  /** A document in a Closed file, even if it is in open ones too, stays as it is. */
  readonly openFilesOnly: boolean;
}

const problem = (code: ProblemCode, detail?: Message) => () => new Problem(code, { detail });
const DELETED = { Deleted: problem('document.deleted') };
/** A worker may be at it. */
const PROCESSING = { Processing: problem('document.processing') };
/** While a document is being processed this goes on: it touches nothing that the worker does. */
const EDITING: Rule = {
  refusedWhile: { ...DELETED, Archived: problem('document.archived') },
  openFilesOnly: true,
};
const NOT_ARCHIVED = problem('document.not-archived');
const NOT_DELETED = problem('document.not-deleted');

/** What is filed or unfiled asks only whether the file itself is open, which is not the document's state. */
const RULES: Readonly<Record<DocumentAction, Rule>> = {
  Edit: EDITING,
  ReplaceContent: { ...EDITING, refusedWhile: { ...EDITING.refusedWhile, ...PROCESSING } },
  Tag: EDITING,
  Untag: EDITING,
  File: { refusedWhile: DELETED, openFilesOnly: false },
  Unfile: { refusedWhile: { ...DELETED, ...PROCESSING }, openFilesOnly: false },
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
  Delete: { refusedWhile: { ...DELETED, ...PROCESSING }, openFilesOnly: true },
  // A Closed file is no obstacle: nothing is filed, it was there all along.
  Restore: {
    refusedWhile: { Processing: NOT_DELETED, Active: NOT_DELETED, Archived: NOT_DELETED },
    openFilesOnly: false,
  },
};

/**
 * What state a document must be in for what (409 otherwise). A write that would change nothing is held to the same:
 * what it asks for is refused in this state, whether it is so already or not.
 */
@Injectable()
export class DocumentRules {
  constructor(private readonly links: DocumentLinksRepository) {}

  /** Whatever is done with a document in the bin, but for restoring it. */
  requireNotDeleted({ status }: DocumentState): void {
    if (status === 'Deleted') throw new Problem('document.deleted');
  }

  /** Title, type and values. */
  requireEditable(tx: WriteTransaction, document: DocumentState): Promise<void> {
    return this.requireAllowed(tx, 'Edit', document);
  }

  /** Throws what keeps the document, locked by now, from the action. */
  async requireAllowed(tx: WriteTransaction, action: DocumentAction, document: DocumentState): Promise<void> {
    for (const refusal of (await this.refusals(tx, action, [document])).values()) throw refusal;
  }

  /** What keeps documents, locked by now, from the action: by id, of those that it does keep. */
  async refusals(
    tx: WriteTransaction,
    action: DocumentAction,
    documents: readonly DocumentState[],
  ): Promise<Map<string, Problem>> {
    const { refusedWhile, openFilesOnly } = RULES[action];
    const refusals = new Map<string, Problem>();
    for (const { id, status } of documents) {
      const refusal = refusedWhile[status]?.();
      if (refusal) refusals.set(id, refusal);
    }
    const others = documents.filter(({ id }) => !refusals.has(id));
    if (openFilesOnly && others.length > 0) {
      const closed = await this.links.inClosedFiles(
        tx,
        others.map(({ id }) => id),
      );
      for (const id of closed) refusals.set(id, new Problem('file.closed'));
    }
    return refusals;
  }
}
