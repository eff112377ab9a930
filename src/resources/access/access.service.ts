import { Injectable } from '@nestjs/common';
import { type Page } from '../../common/page.js';
import { invalidValue, orNotFound } from '../../common/problem.js';
import { PagedReads } from '../../platform/database/paging/paged-reads.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type PageQuery } from '../../platform/http/input/page-query.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import {
  type GetMemberAccessQuery,
  type MemberAccessResponse,
  type ReaderResponse,
  presentMemberAccess,
  presentReader,
} from './access.dto.js';
import { type AccessSubject, AccessRepository } from './access.repository.js';

@Injectable()
export class AccessService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly pages: PagedReads,
    private readonly access: AccessRepository,
  ) {}

  list(caller: Caller, subject: AccessSubject, query: PageQuery): Promise<Page<ReaderResponse>> {
    const list = { operation: `List${subject.type}Access`, filters: { id: subject.id } };
    return this.pages.page(caller, list, query, {
      rows: (tx, after, limit) => this.access.listReaders(tx, caller, subject, after, limit),
      position: (row) => [row.nameKey, row.userId],
      present: presentReader,
    });
  }

  async get(
    caller: Caller,
    userId: string,
    { fileId, documentId }: GetMemberAccessQuery,
  ): Promise<MemberAccessResponse> {
    const [type, id] =
      fileId === undefined ? (['Document', documentId] as const) : (['File', fileId] as const);
    if (id === undefined) throw invalidValue('fileId', 'value.required-without', { member: 'documentId' });
    return this.uow.read(caller, async (tx) => {
      const row = orNotFound(await this.access.find(tx, caller, { type, id }, userId));
      return presentMemberAccess(row);
    });
  }
}
