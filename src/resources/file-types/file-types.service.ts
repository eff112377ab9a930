import { Injectable } from '@nestjs/common';
import { newId } from '../../common/identifier.js';
import { type Page } from '../../common/page.js';
import { caseFold } from '../../common/text.js';
import { PagedReads } from '../../platform/database/paging/paged-reads.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type PageQuery } from '../../platform/http/input/page-query.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import {
  type CreateFileTypeBody,
  type FileTypeResponse,
  type UpdateFileTypeBody,
  presentFileType,
} from './file-types.dto.js';
import { FileTypesRepository } from './file-types.repository.js';

@Injectable()
export class FileTypesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly fileTypes: FileTypesRepository,
    private readonly pages: PagedReads,
  ) {}

  list(caller: Caller, page: PageQuery): Promise<Page<FileTypeResponse>> {
    return this.pages.list(caller, 'ListFileTypes', page, this.fileTypes, presentFileType);
  }

  get(caller: Caller, id: string): Promise<FileTypeResponse> {
    return this.uow.read(caller, async (tx) => presentFileType(await this.fileTypes.get(tx, id)));
  }

  create(caller: Caller, { key, nameDe, nameEn }: CreateFileTypeBody): Promise<FileTypeResponse> {
    return this.uow.write(caller, async (tx) => {
      const values = { id: newId(), key, nameDe, nameEn, sortKey: caseFold(nameDe) };
      const type = await this.fileTypes.insert(tx, values);
      tx.record({ action: 'FileTypeCreated', subjectId: type.id, summary: `${key}: ${nameDe} / ${nameEn}` });
      return presentFileType(type);
    });
  }

  update(caller: Caller, id: string, { nameDe, nameEn }: UpdateFileTypeBody): Promise<FileTypeResponse> {
    return this.uow.write(caller, async (tx) => {
      const type = await this.fileTypes.lock(tx, id);
      await tx.expectRepresentation(() => presentFileType(type));
      if (type.nameDe === nameDe && type.nameEn === nameEn) return presentFileType(type);
      const updated = await this.fileTypes.update(tx, id, { nameDe, nameEn, sortKey: caseFold(nameDe) });
      tx.record({
        action: 'FileTypeUpdated',
        subjectId: id,
        summary: `${type.key}: ${type.nameDe} / ${type.nameEn} → ${nameDe} / ${nameEn}`,
      });
      return presentFileType(updated);
    });
  }
}
