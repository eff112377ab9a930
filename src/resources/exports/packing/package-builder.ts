import { type OpenAPIObject } from '@nestjs/swagger';
import { type ContentStore } from '../../../platform/content/content-store.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { type DocumentResponse, type DocumentScope } from '../../documents/documents.reader.js';
import { type FileResponse } from '../../files/files.reader.js';
import { MAX_CONTENT_BYTES, MAX_CONTENTS, MAX_DOCUMENTS } from '../export-limits.js';
import { ExportFailed } from './export-failed.js';
import { IndexPage, type PackageFacts, type PackedVersion } from './index-page.js';
import { PackagePaths, extensionOf, safeName, stemOf } from './package-paths.js';
import { METADATA_KINDS, type MetadataKind, PACKAGE_VERSION, metadataSchema } from './package-schemas.js';
import { type PackageSource } from './package-source.js';
import { type PackageWriter } from './package-writer.js';

const INDEX = 'data/index.html';
const METADATA = 'data/_metadata';
const UNFILED = 'data/_unfiled';
/** Files and documents that are recorded together. */
const PART = 200;

/** What has been packed since the last part. */
export interface PackedPart {
  readonly fileIds: readonly string[];
  readonly documents: readonly Pick<DocumentResponse, 'id' | 'title'>[];
}

/** Packs the files and documents of one export. */
export class PackageBuilder {
  private readonly paths = new PackagePaths([INDEX, METADATA, UNFILED]);
  private readonly page: IndexPage;
  /** All packed documents. Those in several files have the HTML of their row in the index. */
  private readonly packed = new Map<string, string | null>();
  private readonly packedFiles = new Set<string>();
  /** Ids of files that contain a packed document. */
  private readonly files = new Set<string>();
  /** Ids of types and tags that packed files and documents name. */
  private readonly named = new Set<string | null>();
  private readonly typeNames = new Map<string, string>();
  private part = { fileIds: [] as string[], documents: [] as Pick<DocumentResponse, 'id' | 'title'>[] };
  private contents = 0;
  private bytes = 0;

  constructor(
    private readonly source: PackageSource,
    private readonly store: ContentStore,
    private readonly caller: Caller,
    private readonly writer: PackageWriter,
    private readonly facts: PackageFacts,
    private readonly save: (part: PackedPart) => Promise<void>,
  ) {
    this.page = new IndexPage(facts);
  }

  async build(exportId: string, scope: DocumentScope, api: OpenAPIObject): Promise<void> {
    const { source, caller, writer, page, facts } = this;
    for (const kind of Object.keys(METADATA_KINDS) as MetadataKind[]) {
      if (kind === 'audit-entries' && !facts.hasAuditEntries) continue;
      await writer.write(`${METADATA}/${kind}.ndjson`, '');
      const schema = JSON.stringify(metadataSchema(kind, api), null, 2);
      await writer.write(`${METADATA}/${kind}.schema.json`, `${schema}\n`);
    }
    for await (const { id, nameDe, nameEn } of source.documentTypes(caller))
      this.typeNames.set(id, facts.language === 'de' ? nameDe : nameEn);
    await writer.write(INDEX, page.begin);
    for await (const { file, documents } of source.groups(caller, scope))
      await this.packGroup(file, documents);
    await writer.write(INDEX, page.end);
    // Those that were not chosen, but contain a packed document.
    const others = [...this.files].filter((id) => !this.packedFiles.has(id));
    for await (const file of source.filesOf(caller, others)) await this.addFile(file);
    for await (const type of source.fileTypes(caller)) await this.addNamed('file-types', type);
    for await (const type of source.documentTypes(caller)) await this.addNamed('document-types', type);
    for await (const tag of source.tags(caller)) await this.addNamed('tags', tag);
    await this.savePart();
    await writer.end({
      'Source-Organization': facts.tenantName,
      'Bagging-Date': facts.madeAt.slice(0, 10),
      'External-Description': facts.name,
      'External-Identifier': exportId,
      'Filing-Package-Version': String(PACKAGE_VERSION),
    });
  }

  private async packGroup(
    file: FileResponse | null,
    documents: AsyncIterable<DocumentResponse>,
  ): Promise<void> {
    const { writer, page, packed } = this;
    let folder: string | null = null;
    if (file) {
      await this.addFile(file);
      await writer.write(INDEX, page.section(file));
      folder = this.paths.unique('data', safeName(file.number));
    }
    for await (const document of documents) {
      const row = packed.get(document.id);
      if (row !== undefined && !file) continue;
      if (folder === null) await writer.write(INDEX, page.section(null));
      folder ??= UNFILED;
      await writer.write(INDEX, row ?? (await this.packDocument(document, folder)));
    }
  }

  /** Returns the row of the index. */
  private async packDocument(document: DocumentResponse, folder: string): Promise<string> {
    const { id, title, documentTypeId, tagIds, fileIds } = document;
    const versions: PackedVersion[] = [];
    // The newest one first: it gets the plain name.
    for await (const version of this.source.versions(this.caller, id)) {
      const ending = extensionOf(version);
      const stem = stemOf(title, ending);
      const name = version.isNewest ? stem : `${stem} (version ${version.number})`;
      versions.unshift({ documentId: id, path: this.paths.unique(folder, name, ending), ...version });
    }
    for (const version of versions) await this.packVersion(version);
    await this.addLine('documents', document);
    await this.addAuditEntries(id);
    for (const named of [documentTypeId, ...tagIds]) this.named.add(named);
    for (const fileId of fileIds) this.files.add(fileId);
    const row = this.page.document(document, this.typeNames.get(documentTypeId ?? ''), versions);
    this.packed.set(id, fileIds.length > 1 ? row : null);
    if (this.packed.size > MAX_DOCUMENTS) throw new ExportFailed('TooLarge');
    this.part.documents.push({ id, title });
    if (this.part.documents.length >= PART) await this.savePart();
    return row;
  }

  private async packVersion(version: PackedVersion): Promise<void> {
    const { path, sha256, size, createdAt } = version;
    this.contents += 1;
    this.bytes += size;
    if (this.contents > MAX_CONTENTS || this.bytes > MAX_CONTENT_BYTES) throw new ExportFailed('TooLarge');
    const open = () => this.store.openForCopy(this.caller.tenantId, sha256);
    await this.writer.add(path, { size, modifiedAt: createdAt, open }, sha256);
    await this.addLine('versions', version);
  }

  private async addFile(file: FileResponse): Promise<void> {
    this.packedFiles.add(file.id);
    if (this.packedFiles.size > MAX_DOCUMENTS) throw new ExportFailed('TooLarge');
    this.named.add(file.fileTypeId);
    await this.addLine('files', file);
    await this.addAuditEntries(file.id);
    this.part.fileIds.push(file.id);
    if (this.part.fileIds.length >= PART) await this.savePart();
  }

  private async addAuditEntries(subjectId: string): Promise<void> {
    if (!this.facts.hasAuditEntries) return;
    for await (const entry of this.source.auditEntries(this.caller, subjectId))
      await this.addLine('audit-entries', entry);
  }

  private async addNamed(kind: MetadataKind, item: { readonly id: string }): Promise<void> {
    if (this.named.has(item.id)) await this.addLine(kind, item);
  }

  private addLine(kind: MetadataKind, line: object): Promise<void> {
    return this.writer.write(`${METADATA}/${kind}.ndjson`, `${JSON.stringify(line)}\n`);
  }

  private async savePart(): Promise<void> {
    const { part } = this;
    this.part = { fileIds: [], documents: [] };
    await this.save(part);
  }
}
