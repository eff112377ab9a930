import { Injectable } from '@nestjs/common';
import { newId } from '../../common/identifier.js';
import { type Page } from '../../common/page.js';
import { Problem, invalidValue, orNotFound } from '../../common/problem.js';
import { nameKey } from '../../common/text.js';
import { orderOf } from '../../platform/database/paging/list-order.js';
import { PagedReads } from '../../platform/database/paging/paged-reads.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { AccessRevocation } from '../../platform/tenancy/access/access-revocation.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { FileTypesReader } from '../file-types/file-types.reader.js';
import { NumberingReader } from '../numbering/numbering.reader.js';
import { fileSearchKeys } from './file-search.js';
import { FILE_ORDERS } from './file-sorts.js';
import {
  type CountedFileResponse,
  type CreateFileBody,
  type CreateNumberedFileBody,
  COUNTED,
  type FileResponse,
  type GetFileQuery,
  type ListFilesQuery,
  type RenameFileBody,
} from './files.dto.js';
import { FilesRepository, type NewFile, isNumberFree, positionOf } from './files.repository.js';

/** Number of counted documents that cost as much of the rate limit as one request. */
const COUNTED_PER_REQUEST = 2000;

@Injectable()
export class FilesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly files: FilesRepository,
    private readonly fileTypes: FileTypesReader,
    private readonly numbers: NumberingReader,
    private readonly accessRevocation: AccessRevocation,
    private readonly pages: PagedReads,
  ) {}

  list(
    caller: Caller,
    { limit, cursor, include, ...filter }: ListFilesQuery,
  ): Promise<Page<CountedFileResponse>> {
    const order = orderOf(FILE_ORDERS, filter.sort ?? '-createdAt');
    const filters = { ...filter, q: filter.q || undefined };
    return this.pages.page(
      caller,
      { operation: 'ListFiles', filters: { ...filters, include } },
      { limit, cursor },
      {
        rows: async (tx, after, limit) => {
          const files = await this.files.list(tx, caller, filters, order, after, limit);
          return include ? this.withCounts(tx, caller, files, COUNTED.each) : files;
        },
        position: (row) => positionOf(order, row),
        present: (file) => file,
        fromReplica: true,
      },
    );
  }

  get(caller: Caller, id: string, { include }: GetFileQuery): Promise<CountedFileResponse> {
    return this.uow.read(caller, async (tx) => {
      const file = orNotFound(await this.files.findVisible(tx, caller, id));
      const [counted = file] = include ? await this.withCounts(tx, caller, [file], COUNTED.one) : [];
      return counted;
    });
  }

  /** Number of the documents in each file that the caller sees, without the bin, up to `most`. Counting has a price. */
  async countDocuments(
    tx: TenantTransaction,
    caller: Caller,
    ids: readonly string[],
    most: number,
  ): Promise<Map<string, number>> {
    const counts = await this.files.countDocuments(tx, caller, ids, most);
    const counted = [...counts.values()].reduce((sum, count) => sum + count, 0);
    caller.debit(Math.floor(counted / COUNTED_PER_REQUEST));
    return counts;
  }

  private async withCounts(
    tx: TenantTransaction,
    caller: Caller,
    files: readonly FileResponse[],
    most: number,
  ): Promise<CountedFileResponse[]> {
    const ids = files.map(({ id }) => id);
    const counts = await this.countDocuments(tx, caller, ids, most);
    return files.map((file) => ({ ...file, documentCount: counts.get(file.id) ?? 0 }));
  }

  async create(caller: Caller, body: CreateFileBody): Promise<FileResponse> {
    const file = newFile(caller, body);
    const written = await this.uow.writeAtOnce<FileResponse>(
      caller,
      (tx) => {
        recordCreation(tx, file);
        return [this.files.insertStatement(tx, file)];
      },
      isNumberFree(file.numberKey),
    );
    if (written?.[0]) return written[0];
    return this.uow.write(caller, async (tx) => {
      const inserted = await this.files.insertOrNull(tx, file);
      if (inserted) return recordCreation(tx, inserted);
      // Nothing was inserted, so no constraint has refused an unknown type, which is reported before a taken number.
      if (await this.fileTypes.exists(tx, body.fileTypeId)) throw new Problem('file.number-taken');
      throw invalidValue('fileTypeId', 'reference.file-type');
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
          this.files.insertOrNull(tx, newFile(caller, { fileTypeId, number, name })),
        ),
      ),
    );
  }

  rename(caller: Caller, id: string, { name }: RenameFileBody): Promise<FileResponse> {
    return this.uow.write(caller, async (tx) => {
      const file = await this.lock(tx, caller, id);
      if (file.name === name) return file;
      const renamed = await this.files.update(tx, id, { name, ...fileSearchKeys(file.number, name) });
      tx.record({
        action: 'FileRenamed',
        subjectId: id,
        summary: `${file.number}: ${file.name} → ${name}`,
        related: { fileTypeId: file.fileTypeId },
      });
      return renamed;
    });
  }

  close(caller: Caller, id: string): Promise<FileResponse> {
    return this.uow.write(caller, async (tx) => {
      const file = await this.lock(tx, caller, id);
      if (file.status === 'Closed') throw new Problem('file.already-closed');
      if (await this.files.hasProcessingDocuments(tx, id)) throw new Problem('file.documents-processing');
      return this.setStatus(tx, id, 'Closed', 'FileClosed');
    });
  }

  reopen(caller: Caller, id: string): Promise<FileResponse> {
    return this.uow.write(caller, async (tx) => {
      const file = await this.lock(tx, caller, id);
      if (file.status === 'Open') throw new Problem('file.already-open');
      const disposal = await this.files.takeOutOfDisposal(tx, id);
      if (disposal) tx.record({ action: 'DisposalUpdated', subjectId: disposal.id, summary: disposal.name });
      return this.setStatus(tx, id, 'Open', 'FileReopened');
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

  private async lock(tx: WriteTransaction, caller: Caller, id: string): Promise<FileResponse> {
    const file = orNotFound(await this.files.lockVisibleOrNull(tx, caller, id));
    await tx.expectRepresentation(() => file);
    return file;
  }

  private async setStatus(
    tx: WriteTransaction,
    id: string,
    status: FileResponse['status'],
    action: 'FileClosed' | 'FileReopened',
  ): Promise<FileResponse> {
    const { createdBy, ...file } = await this.files.setStatus(tx, id, status);
    tx.record({ action, subjectId: id, summary: summaryOf(file), related: { fileTypeId: file.fileTypeId } });
    tx.notify(createdBy, action, {
      fileId: id,
      fileNumber: file.number,
      fileName: file.name,
      actorName: tx.actorName,
    });
    return file;
  }
}

function newFile(caller: Caller, { fileTypeId, number, name }: CreateFileBody): NewFile {
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

function recordCreation<F extends NewFile | FileResponse>(tx: WriteTransaction, file: F): F {
  const { id, fileTypeId } = file;
  tx.record({ action: 'FileCreated', subjectId: id, summary: summaryOf(file), related: { fileTypeId } });
  return file;
}

function summaryOf({ number, name }: Pick<FileResponse, 'number' | 'name'>): string {
  return `${number}: ${name}`;
}
