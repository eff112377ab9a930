import { Injectable } from '@nestjs/common';
import { newId } from '../../common/identifier.js';
import { type Page } from '../../common/page.js';
import { Problem, invalidValue, notFound } from '../../common/problem.js';
import { nameKey } from '../../common/text.js';
import { PagedReads } from '../../platform/database/paging/paged-reads.js';
import { type WriteTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { AccessRevocation } from '../../platform/tenancy/access/access-revocation.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { NumberingReader } from '../numbering/numbering.reader.js';
import { fileSearchKeys } from './file-search.js';
import { type FileEntity } from './file.entity.js';
import {
  type CreateFileBody,
  type CreateNumberedFileBody,
  type FileResponse,
  type ListFilesQuery,
  type RenameFileBody,
  presentFile,
} from './files.dto.js';
import { type FileRow, FilesRepository } from './files.repository.js';

@Injectable()
export class FilesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly files: FilesRepository,
    private readonly numbers: NumberingReader,
    private readonly accessRevocation: AccessRevocation,
    private readonly pages: PagedReads,
  ) {}

  list(caller: Caller, { fileTypeId, status, q, ...page }: ListFilesQuery): Promise<Page<FileResponse>> {
    const filter = { fileTypeId, status, q: q || undefined };
    return this.pages.page(caller, { operation: 'ListFiles', filters: filter }, page, {
      rows: (tx, after, limit) => this.files.list(tx, caller, filter, after, limit),
      position: (row) => [row.createdAt, row.id],
      present: presentFile,
      fromReplica: true,
    });
  }

  get(caller: Caller, id: string): Promise<FileResponse> {
    return this.uow.read(caller, async (tx) => {
      const file = await this.files.findVisible(tx, caller, id);
      if (!file) throw notFound();
      return presentFile(file);
    });
  }

  create(caller: Caller, body: CreateFileBody): Promise<FileResponse> {
    return this.uow.write(caller, async (tx) => {
      const file = await this.files.create(tx, newFile(caller, body));
      if (!file) throw invalidValue('fileTypeId', 'reference.file-type');
      return recordCreation(tx, file);
    });
  }

  /** Creates a file with the next number of its type. */
  createNumbered(
    caller: Caller,
    fileTypeId: string,
    { name }: CreateNumberedFileBody,
  ): Promise<FileResponse> {
    return this.uow.write(caller, async (tx) =>
      recordCreation(
        tx,
        await this.numbers.number(tx, fileTypeId, (number) =>
          this.files.create(tx, newFile(caller, { fileTypeId, number, name }), { ifFree: true }),
        ),
      ),
    );
  }

  rename(caller: Caller, id: string, { name }: RenameFileBody): Promise<FileResponse> {
    return this.uow.write(caller, async (tx) => {
      const file = await this.lock(tx, caller, id);
      if (file.name === name) return presentFile(file);
      const renamed = await this.files.update(tx, id, { name, ...fileSearchKeys(file.number, name) });
      tx.record({
        action: 'FileRenamed',
        subjectId: id,
        summary: `${file.number}: ${file.name} → ${name}`,
        related: { fileTypeId: file.fileTypeId },
      });
      return presentFile(renamed);
    });
  }

  close(caller: Caller, id: string): Promise<FileResponse> {
    return this.uow.write(caller, async (tx) => {
      const file = await this.lock(tx, caller, id);
      if (file.status === 'Closed') throw new Problem('file.already-closed');
      if (await this.files.hasProcessingDocuments(tx, id)) throw new Problem('file.documents-processing');
      return this.setStatus(tx, file, 'Closed', 'FileClosed');
    });
  }

  reopen(caller: Caller, id: string): Promise<FileResponse> {
    return this.uow.write(caller, async (tx) => {
      const file = await this.lock(tx, caller, id);
      if (file.status === 'Open') throw new Problem('file.already-open');
      return this.setStatus(tx, file, 'Open', 'FileReopened');
    });
  }

  async delete(caller: Caller, id: string): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      // Blocks new grants until the file is deleted.
      await tx.startAccessChange();
      const file = await this.lock(tx, caller, id);
      if (file.status === 'Closed') throw new Problem('file.not-empty');
      if (await this.files.isHeld(tx, id)) throw new Problem('hold.active');
      await this.files.delete(tx, id);
      tx.record({
        action: 'FileDeleted',
        subjectId: id,
        summary: summaryOf(file),
        related: { fileTypeId: file.fileTypeId },
      });
      await this.accessRevocation.endFile(tx, id, summaryOf(file));
    });
  }

  private async lock(tx: WriteTransaction, caller: Caller, id: string): Promise<FileEntity> {
    const file = await this.files.lockVisible(tx, caller, id);
    if (!file) throw notFound();
    await tx.expectRepresentation(() => presentFile(file));
    return file;
  }

  private async setStatus(
    tx: WriteTransaction,
    { id, createdBy }: FileEntity,
    status: FileEntity['status'],
    action: 'FileClosed' | 'FileReopened',
  ): Promise<FileResponse> {
    const file = await this.files.setStatus(tx, id, status);
    tx.record({ action, subjectId: id, summary: summaryOf(file), related: { fileTypeId: file.fileTypeId } });
    tx.notify(createdBy, action, {
      fileId: id,
      fileNumber: file.number,
      fileName: file.name,
      actorName: tx.actorName,
    });
    return presentFile(file);
  }
}

function newFile(caller: Caller, { fileTypeId, number, name }: CreateFileBody) {
  return {
    id: newId(),
    fileTypeId,
    number,
    numberKey: nameKey(number),
    name,
    createdBy: caller.user.id,
    ...fileSearchKeys(number, name),
  };
}

function recordCreation(tx: WriteTransaction, file: FileRow): FileResponse {
  const { id, fileTypeId } = file;
  tx.record({ action: 'FileCreated', subjectId: id, summary: summaryOf(file), related: { fileTypeId } });
  return presentFile(file);
}

function summaryOf({ number, name }: Pick<FileEntity, 'number' | 'name'>): string {
  return `${number}: ${name}`;
}
