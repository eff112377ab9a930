import { Injectable } from '@nestjs/common';
import { Problem } from '../common/problem.js';
import { type WriteTransaction } from '../database/tenant-transaction.js';
import { type DocumentEntity } from './document.entity.js';
import { DocumentLinksRepository } from './document-links.repository.js';

type InState = Pick<DocumentEntity, 'id' | 'status'>;

/**
 * What state a document must be in for what (409 otherwise). A write that would change nothing is held to the same:
 * what it asks for is refused in this state, whether it is so already or not.
 */
@Injectable()
export class DocumentRules {
  constructor(private readonly links: DocumentLinksRepository) {}

  /** Whatever is done with a document in the bin, but for restoring it. */
  notInBin({ status }: InState): void {
    if (status === 'Deleted') throw new Problem('document.deleted');
  }

  /** Unfiling, archiving, deleting: a worker may be at it. */
  notProcessing({ status }: InState): void {
    if (status === 'Processing') throw new Problem('document.processing');
  }

  /** Editing and tagging. While a document is being processed both go on: they touch nothing that the worker does. */
  async editable(tx: WriteTransaction, document: InState): Promise<void> {
    this.notInBin(document);
    if (document.status === 'Archived') throw new Problem('document.archived');
    await this.notInClosedFile(tx, document);
  }

  /** A document in a Closed file, even if it is in open ones too, stays as it is. */
  async notInClosedFile(tx: WriteTransaction, { id }: InState): Promise<void> {
    if (await this.links.isInClosedFile(tx, id)) throw new Problem('file.closed');
  }
}
