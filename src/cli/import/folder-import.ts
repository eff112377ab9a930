import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import mime from 'mime-types';
import { type FilingClient } from '../../client/filing-client.js';
import { UsageError } from '../command.js';
import { type SourceDocument, type SourceFolder } from './folders.js';
import { type Progress } from './progress.js';

interface FileAnswer {
  id: string;
  number: string;
}

interface FiledDocument {
  documentId: string;
  title: string;
}

interface DocumentAnswer {
  content: { sha256: string } | null;
}

/** Uploads that are under way at once: enough to keep the line busy, few enough to leave others room. */
const CONCURRENCY = 4;

/** Files folders of documents, and repeats nothing that is there already. */
export class FolderImport {
  readonly failures: { path: string; reason: string }[] = [];
  private readonly made = new Set<string>();
  private processing = 0;
  private readonly counts = { filesMade: 0, filesFound: 0, documentsMade: 0, documentsFound: 0 };

  constructor(
    private readonly client: FilingClient,
    private readonly progress: Progress,
    private readonly signal: AbortSignal,
  ) {}

  async run(folders: readonly SourceFolder[], fileTypeKey: string): Promise<this> {
    const fileTypeId = await this.findFileType(fileTypeKey);
    this.progress.start(folders.reduce((sum, { documents }) => sum + documents.length, 0));
    for (const folder of folders) {
      this.failures.push(...folder.unreadable);
      if (this.signal.aborted) break;
      await this.importFolder(folder, fileTypeId);
    }
    if (!this.signal.aborted && this.made.size > 0) this.processing = await this.countProcessing();
    return this;
  }

  summary(): string {
    const { filesMade, filesFound, documentsMade, documentsFound } = this.counts;
    const lines = [
      `Files: ${filesMade} made, ${filesFound} there already.`,
      `Documents: ${documentsMade} filed, ${documentsFound} there already, ${this.failures.length} failed.`,
      ...this.failures.map(({ path: failed, reason }) => `  ${failed}: ${reason}`),
    ];
    if (this.processing > 0) lines.push(`Still being processed: ${this.processing}.`);
    if (this.signal.aborted) lines.push('Interrupted: run it again to file the rest.');
    return `${lines.join('\n')}\n`;
  }

  private async findFileType(key: string): Promise<string> {
    const keys: string[] = [];
    for await (const type of this.client.all<{ id: string; key: string }>('/file-types')) {
      if (type.key === key) return type.id;
      keys.push(type.key);
    }
    throw new UsageError(`There is no file type ${key}; there are: ${keys.join(', ') || 'none'}.`);
  }

  private async importFolder(folder: SourceFolder, fileTypeId: string): Promise<void> {
    let fileId: string;
    let there: Map<string, string[]>;
    try {
      fileId = await this.ensureFile(folder, fileTypeId);
      there = await this.documentsOf(fileId);
    } catch (error) {
      for (const document of folder.documents) this.fail(document, error);
      return;
    }
    const queue = [...folder.documents];
    const worker = async () => {
      for (let next = queue.shift(); next && !this.signal.aborted; next = queue.shift()) {
        try {
          await this.importDocument(next, folder, fileId, there.get(next.title) ?? []);
          this.progress.step(next.title);
        } catch (error) {
          this.fail(next, error);
        }
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  }

  private async ensureFile({ number, name }: SourceFolder, fileTypeId: string): Promise<string> {
    const found = await this.findFile(number);
    if (found) {
      this.counts.filesFound += 1;
      return found;
    }
    const file = await this.client.post<FileAnswer>('/files', {
      json: { fileTypeId, number, name },
      idempotencyKey: keyOf('file', number, name, fileTypeId),
    });
    this.counts.filesMade += 1;
    return file.id;
  }

  private async findFile(number: string): Promise<string | null> {
    for await (const file of this.client.all<FileAnswer>(`/files?q=${encodeURIComponent(number)}`)) {
      if (file.number === number) return file.id;
    }
    return null;
  }

  /** Ids of the documents in the file, by title. */
  private async documentsOf(fileId: string): Promise<Map<string, string[]>> {
    const byTitle = new Map<string, string[]>();
    for await (const { documentId, title } of this.client.all<FiledDocument>(`/files/${fileId}/documents`)) {
      byTitle.set(title, [...(byTitle.get(title) ?? []), documentId]);
    }
    return byTitle;
  }

  private async importDocument(
    { path: source, title }: SourceDocument,
    { number }: SourceFolder,
    fileId: string,
    candidates: readonly string[],
  ): Promise<void> {
    const hash = createHash('sha256');
    await pipeline(createReadStream(source), hash, { signal: this.signal });
    const sha256 = hash.digest('hex');
    for (const id of candidates) {
      const { content } = await this.client.get<DocumentAnswer>(`/documents/${id}`);
      if (content?.sha256 === sha256) {
        this.counts.documentsFound += 1;
        return;
      }
    }
    const { id } = await this.client.post<{ id: string }>('/documents', {
      idempotencyKey: keyOf('document', fileId, number, title, sha256),
      form: async () => {
        const form = new FormData();
        const document = JSON.stringify({ title, fileIds: [fileId] });
        form.append('document', new Blob([document], { type: 'application/json' }));
        const type = mime.lookup(source) || 'application/octet-stream';
        form.append('content', await openAsBlob(source, { type }), path.basename(source));
        return form;
      },
    });
    this.counts.documentsMade += 1;
    this.made.add(id);
  }

  /** How many of the documents that were made are not looked into yet; the service goes on with them by itself. */
  private async countProcessing(): Promise<number> {
    let count = 0;
    for await (const { id } of this.client.all<{ id: string }>('/documents?status=Processing')) {
      if (this.made.has(id)) count += 1;
    }
    return count;
  }

  private fail({ path: failed, title }: SourceDocument, error: unknown): void {
    if (!this.signal.aborted) this.failures.push({ path: failed, reason: (error as Error).message });
    this.progress.step(title);
  }
}

/** The same for the same thing in every run. */
function keyOf(...parts: string[]): string {
  return `import-${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`;
}
