import { Injectable } from '@nestjs/common';
import { type Page } from '../../common/page.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type PageQuery } from '../../platform/http/input/page-query.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { type FileTypeResponse } from './file-types.dto.js';
import { FileTypesRepository } from './file-types.repository.js';
import { FileTypesService } from './file-types.service.js';

@Injectable()
export class FileTypesReader {
  constructor(
    private readonly fileTypes: FileTypesRepository,
    private readonly service: FileTypesService,
  ) {}

  list(caller: Caller, query: PageQuery): Promise<Page<FileTypeResponse>> {
    return this.service.list(caller, query);
  }

  async exists(tx: TenantTransaction, id: string): Promise<boolean> {
    return (await this.fileTypes.find(tx, id)) !== null;
  }
}
