import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { newId } from '../../common/identifier.js';
import { type Message, message } from '../../common/messages/message.js';
import { type Page } from '../../common/page.js';
import { type FieldErrors, Problem, invalid } from '../../common/problem.js';
import { CONFIGURATION, type Configuration } from '../../platform/config/configuration.js';
import { ContentStore } from '../../platform/content/content-store.js';
import { PagedReads } from '../../platform/database/paging/paged-reads.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type PageQuery } from '../../platform/http/input/page-query.js';
import { sendContent } from '../../platform/http/response/content-response.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { DISPOSAL_READERS } from '../disposals/disposals.reader.js';
import { ContentsReader } from '../documents/contents/contents.reader.js';
import { type DocumentScope, DocumentsReader } from '../documents/documents.reader.js';
import { FileTypesReader } from '../file-types/file-types.reader.js';
import { FilesReader } from '../files/files.reader.js';
import {
  MAX_CONTENT_BYTES,
  MAX_CONTENTS,
  MAX_DOCUMENTS,
  MAX_EXPORTS,
  MAX_UNFINISHED,
} from './export-limits.js';
import {
  type CreateExportBody,
  type ExportResponse,
  type ExportRow,
  presentExport,
  scopeOf,
} from './exports.dto.js';
import { ExportsRepository } from './exports.repository.js';
import { safeName } from './packing/package-paths.js';

/** Number of documents that costs as much of the rate limit as one request. */
const DOCUMENTS_PER_REQUEST = 5000;

@Injectable()
export class ExportsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly store: ContentStore,
    private readonly exports: ExportsRepository,
    private readonly documents: DocumentsReader,
    private readonly files: FilesReader,
    private readonly fileTypes: FileTypesReader,
    private readonly contents: ContentsReader,
    private readonly pages: PagedReads,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  list(caller: Caller, page: PageQuery): Promise<Page<ExportResponse>> {
    return this.pages.page(caller, { operation: 'ListExports' }, page, {
      rows: (tx, after, limit) => this.exports.listPage(tx, after, limit, { createdById: caller.user.id }),
      position: (row) => [row.createdAt, row.id],
      present: presentExport,
    });
  }

  async get(caller: Caller, id: string): Promise<ExportResponse> {
    return presentExport(await this.find(caller, id));
  }

  create(caller: Caller, body: CreateExportBody): Promise<ExportResponse> {
    return this.uow.write(caller, async (tx) => {
      const scope = await this.visibleScope(tx, caller, body);
      const size = await this.documents.sizeOf(tx, caller, scope, MAX_DOCUMENTS);
      caller.debit(Math.floor(size.documents / DOCUMENTS_PER_REQUEST));
      const { documents, contents, bytes } = size;
      if (documents > MAX_DOCUMENTS || contents > MAX_CONTENTS || bytes > MAX_CONTENT_BYTES)
        throw new Problem('export.too-large');
      const { unfinished, total } = await this.exports.lockAndCount(tx, caller.user.id);
      if (unfinished >= MAX_UNFINISHED || total >= MAX_EXPORTS) throw new Problem('export.too-many');
      const id = newId();
      const { name } = body;
      const createdById = caller.user.id;
      await this.exports.insert(tx, { id, name, scope, documentCount: documents, createdById });
      tx.enqueue('PackExport', { exportId: id }, null, true);
      tx.record({ action: 'ExportCreated', subjectId: id, summary: name });
      return presentExport(await this.exports.getOf(tx, caller.user.id, id));
    });
  }

  async delete(caller: Caller, id: string): Promise<void> {
    const { contentSha256 } = await this.uow.write(caller, async (tx) => {
      const row = await this.exports.lockOf(tx, caller.user.id, id);
      await tx.expectRepresentation(() => presentExport(row));
      await this.exports.delete(tx, id);
      tx.record({ action: 'ExportDeleted', subjectId: id, summary: row.name });
      return row;
    });
    if (contentSha256 !== null) await this.contents.release(caller.tenantId, contentSha256);
  }

  /** See {@link sendContent}. */
  async send(caller: Caller, id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const row = await this.find(caller, id);
    const { status, contentSha256, size, name } = row;
    if (status !== 'Ready' || contentSha256 === null || size === null) throw new Problem('export.not-ready');
    await this.refuseOutdated(caller, row);
    await sendContent(request, response, {
      store: this.store,
      tenantId: caller.tenantId,
      sha256: contentSha256,
      size,
      mediaType: 'application/zip',
      fileName: `${safeName(name)}.zip`,
      disposition: 'attachment',
      idleTimeoutMs: this.configuration.uploadIdleTimeout,
      beforeBytes: (range) =>
        this.contents.recordDownload(
          caller,
          { action: 'ExportDownloaded', subjectId: id, summary: name },
          range !== null && range.start > 0,
        ),
    });
  }

  private find(caller: Caller, id: string): Promise<ExportRow> {
    return this.uow.read(caller, (tx) => this.exports.getOf(tx, caller.user.id, id));
  }

  /** @throws Problem 409 unless the caller still sees everything in the package */
  private async refuseOutdated(caller: Caller, row: ExportRow): Promise<void> {
    caller.debit(Math.floor(row.documentCount / DOCUMENTS_PER_REQUEST));
    const isOutdated = await this.uow.read(caller, (tx) => this.exports.isOutdated(tx, caller, row.id));
    if (isOutdated || (row.hasAuditEntries && !caller.has('auditLog.read')))
      throw new Problem('export.outdated');
  }

  /** Throws 400 for ids that name nothing visible. */
  private async visibleScope(
    tx: TenantTransaction,
    caller: Caller,
    body: CreateExportBody,
  ): Promise<DocumentScope> {
    if (body.disposalId) {
      const isReader = DISPOSAL_READERS.some((permission) => caller.has(permission));
      const fileIds = isReader ? await this.exports.filesOfDisposal(tx, caller, body.disposalId) : [];
      if (fileIds.length === 0) throw invalid({ disposalId: [message('reference.disposal')] });
      return { fileIds };
    }
    const scope = scopeOf(body);
    const errors = await this.notVisible(tx, caller, scope);
    if (Object.keys(errors).length > 0) throw invalid(errors);
    return scope;
  }

  /** Errors of the ids that name nothing visible. */
  private async notVisible(
    tx: TenantTransaction,
    caller: Caller,
    scope: DocumentScope,
  ): Promise<FieldErrors> {
    const missing = (member: string, ids: readonly string[], known: Set<string>, error: Message) =>
      Object.fromEntries(
        ids.flatMap((id, index): [string, Message[]][] =>
          known.has(id) ? [] : [[`${member}[${index}]`, [error]]],
        ),
      );
    if ('fileIds' in scope) {
      const known = await this.files.findVisibleIds(tx, caller, scope.fileIds);
      return missing('fileIds', scope.fileIds, known, message('reference.file'));
    }
    if ('documentIds' in scope) {
      const known = await this.documents.findVisibleIds(tx, caller, scope.documentIds);
      return missing('documentIds', scope.documentIds, known, message('reference.document'));
    }
    if ('all' in scope || (await this.fileTypes.exists(tx, scope.fileTypeId))) return {};
    return { fileTypeId: [message('reference.file-type')] };
  }
}
