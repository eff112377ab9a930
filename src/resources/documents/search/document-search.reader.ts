import { Injectable } from '@nestjs/common';
import { type Page } from '../../../common/page.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { type FoundDocumentResponse, type ListDocumentsQuery } from './document-search.dto.js';
import { DocumentSearchService } from './document-search.service.js';

@Injectable()
export class DocumentSearchReader {
  constructor(private readonly service: DocumentSearchService) {}

  list(caller: Caller, query: ListDocumentsQuery): Promise<Page<FoundDocumentResponse>> {
    return this.service.list(caller, query);
  }
}
