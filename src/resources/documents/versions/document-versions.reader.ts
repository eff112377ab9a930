import { Injectable } from '@nestjs/common';
import { type Page } from '../../../common/page.js';
import { type PageQuery } from '../../../platform/http/input/page-query.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { type DocumentVersionResponse } from './document-versions.dto.js';
import { DocumentVersionsService } from './document-versions.service.js';

export { type DocumentVersionResponse };

@Injectable()
export class DocumentVersionsReader {
  constructor(private readonly service: DocumentVersionsService) {}

  list(caller: Caller, documentId: string, page: PageQuery): Promise<Page<DocumentVersionResponse>> {
    return this.service.list(caller, documentId, page);
  }
}
