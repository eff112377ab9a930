import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import mime from 'mime-types';
import { ConnectionFailed, type FilingClient } from '../../../../clients/typescript/client.js';
import { nameKey } from '../../../common/text.js';
import { UsageError } from '../command.js';
import { type SourceEntry, type SourceFolder } from './folders.js';
import { type Progress } from './progress.js';

/** The maximum page size of the service. */
const MAX_PAGE = { params: { query: { limit: 200 } } };

interface TargetFile {
  readonly fileId: string;
  /** Ids of its documents, by title. */
  readonly existing: ReadonlyMap<string, readonly string[]>;
}

/** Skips documents that already exist. */
export class FolderImport {
  readonly failures: { path: string; reason: string }[] = [];
  private readonly createdIds = new Set<string>();
  private processing = 0;
  private readonly decodedPaths: string[] = [];
  private readonly links: string[] = [];
  private connectionError: ConnectionFailed | null = null;
  private readonly counts = { filesCreated: 0, filesFound: 0, documentsCreated: 0, documentsFound: 0 };

  constructor(
    private readonly client: FilingClient,
    private readonly progress: Progress,
    private readonly signal: AbortSignal,
    /** Number of uploads at the same time. */
    private readonly parallel: number,
  ) {}

  async run(folders: readonly SourceFolder[], fileTypeKey: string): Promise<this> {
    const fileTypeId = await this.findFileType(fileTypeKey);
    this.progress.start(folders.reduce((sum, { documents }) => sum + documents.length, 0));
    const uploads = this.uploads(folders, fileTypeId);
    const worker = async () => {
      for (let next = await uploads.next(); !next.done; next = await uploads.next()) await next.value();
    };
    await Promise.all(Array.from({ length: this.parallel }, worker));
    if (!this.isStopped && this.createdIds.size > 0) this.processing = await this.countProcessing();
    return this;
  }

  private get isStopped(): boolean {
    return this.signal.aborted || this.connectionError !== null;
  }

  get isComplete(): boolean {
    return this.failures.length === 0 && !this.isStopped;
  }

  summary(skipped: string | null): string {
    const { filesCreated, filesFound, documentsCreated, documentsFound } = this.counts;
    const lines = [
      `Files: ${filesCreated} created, ${filesFound} already existed.`,
      `Documents: ${documentsCreated} imported, ${documentsFound} already existed, ${this.failures.length} failed.`,
      ...this.failures.map(({ path: failed, reason }) => `  ${failed}: ${reason}`),
    ];
    if (skipped !== null) lines.push(`Skipped: ${skipped}. See --skip and --no-default-skips.`);
    const lists = {
      'Names not in UTF-8, decoded as Windows-1252': this.decodedPaths,
      'Symbolic links, not followed': this.links,
    };
    for (const [title, paths] of Object.entries(lists)) {
      if (paths.length > 0) lines.push(`${title}: ${paths.length}.`, ...paths.map((name) => `  ${name}`));
    }
    if (this.processing > 0) lines.push(`Still being processed: ${this.processing}.`);
    if (this.connectionError) lines.push(this.connectionError.message);
    if (this.isStopped) lines.push('Interrupted. Run the command again to import the rest.');
    return `${lines.join('\n')}\n`;
  }

  private async findFileType(key: string): Promise<string> {
    const keys: string[] = [];
    for await (const type of this.client.pages('/file-types', MAX_PAGE)) {
      if (type.key === key) return type.id;
      keys.push(type.key);
    }
    throw new UsageError(
      `The file type ${key} does not exist. Existing file types: ${keys.join(', ') || 'none'}.`,
    );
  }

  /** The uploads of all folders in their order. The file of a folder is created before its first upload. */
  private async *uploads(
    folders: readonly SourceFolder[],
    fileTypeId: string,
  ): AsyncGenerator<() => Promise<void>> {
    for (const folder of folders) {
      this.failures.push(...folder.unreadable);
      this.links.push(...folder.links);
      if (this.isStopped) return;
      if (folder.isRoot && folder.documents.length === 0) continue;
      const target = await this.openFile(folder, fileTypeId);
      if (!target) continue;
      for (const document of folder.documents) {
        if (this.isStopped) return;
        yield () =>
          this.upload(document, folder, target).then(
            () => this.progress.step(document.title),
            (error: unknown) => this.fail(document, error),
          );
      }
    }
  }

  /** The file of the folder with its documents. Null if that fails; its documents then count as failed. */
  private async openFile(folder: SourceFolder, fileTypeId: string): Promise<TargetFile | null> {
    try {
      const fileId = await this.ensureFile(folder, fileTypeId);
      return { fileId, existing: await this.documentsOf(fileId) };
    } catch (error) {
      for (const document of folder.documents) this.fail(document, error);
      return null;
    }
  }

  private async ensureFile({ number, name }: SourceFolder, fileTypeId: string): Promise<string> {
    const found = await this.findFile(number);
    if (found) {
      this.counts.filesFound += 1;
      return found;
    }
    const { data: file } = await this.client.POST('/files', {
      body: { fileTypeId, number, name },
      params: { header: idempotencyKey('file', number, name, fileTypeId) },
    });
    this.counts.filesCreated += 1;
    return file.id;
  }

  /** Numbers are unique without regard to case, so folders whose names differ only in case share a file. */
  private async findFile(number: string): Promise<string | null> {
    const query = { q: number, ...MAX_PAGE.params.query };
    for await (const file of this.client.pages('/files', { params: { query } })) {
      if (nameKey(file.number) === nameKey(number)) return file.id;
    }
    return null;
  }

  /** Ids of the documents in the file, by title. */
  private async documentsOf(fileId: string): Promise<Map<string, string[]>> {
    const byTitle = new Map<string, string[]>();
    const params = { path: { fileId }, ...MAX_PAGE.params };
    for await (const { documentId, title } of this.client.pages('/files/{fileId}/documents', { params })) {
      byTitle.set(title, [...(byTitle.get(title) ?? []), documentId]);
    }
    return byTitle;
  }

  private async upload(
    { location, path: source, title, isDecoded }: SourceEntry,
    { number }: SourceFolder,
    { fileId, existing }: TargetFile,
  ): Promise<void> {
    const hash = createHash('sha256');
    await pipeline(createReadStream(location), hash, { signal: this.signal });
    const sha256 = hash.digest('hex');
    for (const documentId of existing.get(title) ?? []) {
      const { data } = await this.client.GET('/documents/{documentId}', { params: { path: { documentId } } });
      if (data.content?.sha256 === sha256) {
        this.counts.documentsFound += 1;
        return;
      }
    }
    const type = mime.lookup(source) || 'application/octet-stream';
    // The service takes a backslash for the end of a folder, as old browsers on Windows sent it.
    const fileName = path.basename(source).replaceAll('\\', '_');
    const content = new File([await openAsBlob(location)], fileName, { type });
    const { data } = await this.client.POST('/documents', {
      body: { document: { title, fileIds: [fileId] }, content },
      params: { header: idempotencyKey('document', fileId, number, title, sha256) },
    });
    this.counts.documentsCreated += 1;
    this.createdIds.add(data.id);
    if (isDecoded) this.decodedPaths.push(source);
  }

  /** Number of created documents that the service has not processed yet. It continues without this command. */
  private async countProcessing(): Promise<number> {
    let count = 0;
    const query = { status: 'Processing', ...MAX_PAGE.params.query } as const;
    for await (const { id } of this.client.pages('/documents', { params: { query } })) {
      if (this.createdIds.has(id)) count += 1;
    }
    return count;
  }

  private fail({ path: failed, title }: SourceEntry, error: unknown): void {
    if (error instanceof ConnectionFailed) this.connectionError = error;
    if (!this.isStopped) this.failures.push({ path: failed, reason: (error as Error).message });
    this.progress.step(title);
  }
}

/** Returns the same key for the same parts in every run. */
function idempotencyKey(...parts: string[]): { 'Idempotency-Key': string } {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  return { 'Idempotency-Key': `import-${hash}` };
}
