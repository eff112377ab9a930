import { Injectable } from '@nestjs/common';
import { Problem } from '../../../common/problem.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { type DocumentResponse, presentDocument } from '../document-response.dto.js';
import { DocumentsRepository } from '../documents.repository.js';
import { ProcessingRepository } from './processing.repository.js';

@Injectable()
export class ReprocessingService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly documents: DocumentsRepository,
    private readonly contents: ProcessingRepository,
  ) {}

  reprocess(caller: Caller, id: string): Promise<DocumentResponse> {
    return this.uow.write(caller, async (tx) => {
      const { title, status, contentText } = await this.documents.lockVisible(tx, caller, id);
      if (status === 'Deleted') throw new Problem('document.deleted');
      if (contentText === null) throw new Problem('document.without-content');
      if (contentText === 'Pending') throw new Problem('document.processing');
      for (const document of await this.contents.markPending(tx, [id]))
        tx.enqueue('ProcessDocument', document);
      tx.record({ action: 'DocumentReprocessed', subjectId: id, summary: title });
      return presentDocument(await this.documents.view(tx, caller, id));
    });
  }
}
