import { Injectable } from '@nestjs/common';
import { MAX_LIMIT, type Page } from '../../../common/page.js';
import { Problem } from '../../../common/problem.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { type PageQuery } from '../../../platform/http/input/page-query.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { AuditLogReader } from '../../audit-log/audit-log.reader.js';
import { DocumentTypesReader } from '../../document-types/document-types.reader.js';
import {
  type DocumentResponse,
  type DocumentScope,
  DocumentsReader,
} from '../../documents/documents.reader.js';
import { DocumentSearchReader } from '../../documents/search/document-search.reader.js';
import { DocumentVersionsReader } from '../../documents/versions/document-versions.reader.js';
import { FileTypesReader } from '../../file-types/file-types.reader.js';
import { type FileResponse, FilesReader } from '../../files/files.reader.js';
import { TagsReader } from '../../tags/tags.reader.js';

/** A file with its documents; null: documents without a file. */
interface PackageGroup {
  readonly file: FileResponse | null;
  readonly documents: AsyncIterable<DocumentResponse>;
}

/**
 * What a package contains: the lists of the API, read page by page with the current rights of a member. So it has what its
 * creator sees, in the shapes of the API. No transaction is open between the pages.
 */
@Injectable()
export class PackageSource {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly files: FilesReader,
    private readonly documents: DocumentsReader,
    private readonly search: DocumentSearchReader,
    private readonly documentVersions: DocumentVersionsReader,
    private readonly allFileTypes: FileTypesReader,
    private readonly allDocumentTypes: DocumentTypesReader,
    private readonly allTags: TagsReader,
    private readonly auditLog: AuditLogReader,
  ) {}

  /** Newest file first. A document in several files is in several groups; with `all`, the last group has all documents. */
  async *groups(caller: Caller, scope: DocumentScope): AsyncGenerator<PackageGroup> {
    if ('documentIds' in scope) {
      yield* this.groupsOf(caller, scope.documentIds);
      return;
    }
    const files =
      'fileIds' in scope
        ? this.filesOf(caller, scope.fileIds.toSorted().reverse())
        : pages((page) => this.files.list(caller, { ...page, ...('fileTypeId' in scope && scope) }));
    for await (const file of files)
      yield { file, documents: pages((page) => this.search.list(caller, { ...page, fileId: file.id })) };
    if ('all' in scope) yield { file: null, documents: pages((page) => this.search.list(caller, page)) };
  }

  /** Those that the caller still sees. */
  filesOf(caller: Caller, ids: Iterable<string>): AsyncGenerator<FileResponse> {
    return found(ids, (id) => this.files.get(caller, id).catch(nullIfNotFound));
  }

  /** Newest first. */
  versions(caller: Caller, documentId: string) {
    return pages((page) => this.documentVersions.list(caller, documentId, page));
  }

  fileTypes(caller: Caller) {
    return pages((page) => this.allFileTypes.list(caller, page), caller.has('fileTypes.read'));
  }

  documentTypes(caller: Caller) {
    return pages((page) => this.allDocumentTypes.list(caller, page), caller.has('documentTypes.read'));
  }

  tags(caller: Caller) {
    return pages((page) => this.allTags.list(caller, page), caller.has('tags.read'));
  }

  /** Newest first. */
  auditEntries(caller: Caller, subjectId: string) {
    return pages((page) => this.auditLog.list(caller, { ...page, subjectId }), caller.has('auditLog.read'));
  }

  /** Each document in the newest of its files. */
  private async *groupsOf(caller: Caller, documentIds: readonly string[]): AsyncGenerator<PackageGroup> {
    const find = (id: string) => this.uow.read(caller, (tx) => this.documents.find(tx, caller, id));
    const idsByFile = new Map<string, string[]>();
    for await (const { id, fileIds } of found(documentIds, find)) {
      const fileId = fileIds.at(-1) ?? '';
      idsByFile.set(fileId, [...(idsByFile.get(fileId) ?? []), id]);
    }
    for (const [fileId, ids] of [...idsByFile].sort(([one], [other]) => (one < other ? 1 : -1))) {
      const file = fileId && (await this.files.get(caller, fileId).catch(nullIfNotFound));
      yield { file: file || null, documents: found(ids, find) };
    }
  }
}

async function* pages<T>(list: (page: PageQuery) => Promise<Page<T>>, isPermitted = true): AsyncGenerator<T> {
  for (let cursor: string | null | undefined; isPermitted && cursor !== null;) {
    const page: Page<T> = await list({ limit: MAX_LIMIT, ...(cursor !== undefined && { cursor }) });
    yield* page.items;
    cursor = page.nextCursor;
  }
}

async function* found<T>(ids: Iterable<string>, find: (id: string) => Promise<T | null>): AsyncGenerator<T> {
  for (const id of ids) {
    const item = await find(id);
    if (item) yield item;
  }
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof Problem && error.status === 404) return null;
  throw error;
}
