import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { newId } from '../../../common/identifier.js';
import { Problem } from '../../../common/problem.js';
import { type ExportFailure } from '../../../common/vocabulary/exports.js';
import { CONFIGURATION, type Configuration } from '../../../platform/config/configuration.js';
import {
  ContentMissing,
  ContentStore,
  type ReceivedContent,
} from '../../../platform/content/content-store.js';
import { type TenantContext } from '../../../platform/database/transactions/tenant-context.js';
import { type WriteTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { OpenApiDocument } from '../../../platform/documentation/openapi-document.js';
import { JobRunner } from '../../../platform/jobs/job-runner.js';
import { type Job, mayPrecedeCommit } from '../../../platform/jobs/job.js';
import { ProcessingFolder } from '../../../platform/jobs/processing-folder.js';
import { AccessDirectory, serviceContext } from '../../../platform/tenancy/access/access.directory.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { TenantsReader } from '../../../platform/tenancy/tenants/tenants.reader.js';
import { ContentsReader } from '../../documents/contents/contents.reader.js';
import { DocumentsReader } from '../../documents/documents.reader.js';
import { MAX_DOCUMENTS, MAX_PACKAGE_BYTES } from '../export-limits.js';
import { type ExportEntity } from '../export.entity.js';
import { ExportEnding } from '../export-ending.js';
import { type ExportRun, type StoredExport, ExportsRepository } from '../exports.repository.js';
import { ExportFailed } from './export-failed.js';
import { type PackedPart, PackageBuilder } from './package-builder.js';
import { PackageSource } from './package-source.js';
import { PackageWriter } from './package-writer.js';

/** When an export looks again whether it can run, while another one of the tenant runs. */
const BUSY_MS = 10_000;

/** Another attempt has begun, or the export was deleted. */
class RunEnded extends Error {}

type PackedExport = ExportRun &
  Pick<ExportEntity, 'name' | 'scope' | 'createdById'> & { readonly tenantId: string };

/**
 * Packs exports (docs/adr/0050). An attempt always begins at the start. No transaction is open while bytes are read or
 * written.
 */
@Injectable()
export class ExportPacker implements OnModuleInit {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly store: ContentStore,
    private readonly exports: ExportsRepository,
    private readonly source: PackageSource,
    private readonly documents: DocumentsReader,
    private readonly contents: ContentsReader,
    private readonly ending: ExportEnding,
    private readonly directory: AccessDirectory,
    private readonly tenants: TenantsReader,
    private readonly folder: ProcessingFolder,
    private readonly documentation: OpenApiDocument,
    private readonly jobs: JobRunner,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('PackExport', (job) => this.run(job));
  }

  private async run(job: Job<'PackExport'>): Promise<void> {
    const run = await this.begin(job);
    if (!run) return;
    try {
      await this.pack(run, job);
    } catch (error) {
      if (error instanceof RunEnded) return;
      const failure = job.signal.aborted ? null : failureOf(error, job.isLastAttempt);
      if (failure) await this.ending.fail(run.tenantId, failure, run);
      if (!(error instanceof ExportFailed)) throw error;
    }
  }

  /** Null if there is nothing to do now. */
  private async begin(job: Job<'PackExport'>): Promise<PackedExport | null> {
    const { tenantId, payload } = job;
    const run = { ...payload, runId: newId() };
    const found = await this.uow.write(serviceContext(tenantId), async (tx) => {
      const begun = await this.exports.begin(tx, run);
      if (begun === 'busy') tx.enqueue('PackExport', payload, BUSY_MS, true);
      return begun;
    });
    if (found === null && mayPrecedeCommit(this.uow.layout, job))
      throw new Error('The export is not committed');
    if (found === null || found === 'busy') return null;
    // Of an attempt that was interrupted at its end.
    if (found.contentSha256 !== null) await this.contents.release(tenantId, found.contentSha256);
    const { name, scope, createdById } = found;
    return { ...run, tenantId, name, scope, createdById };
  }

  private async pack(run: PackedExport, { signal, workerId }: Job<'PackExport'>): Promise<void> {
    const service = serviceContext(run.tenantId);
    const creator = await this.uow.read(service, (tx) => this.directory.findMember(tx, run.createdById));
    if (!creator?.has('exports.create')) throw new ExportFailed('NotPermitted');
    const { bytes } = await this.uow.read(creator, (tx) =>
      this.documents.sizeOf(tx, creator, run.scope, MAX_DOCUMENTS),
    );
    await this.ensureStorage(run, bytes);
    // As of now, whatever right is taken away or given while the export runs.
    const hasAuditEntries = creator.has('auditLog.read');
    const received = await this.folder.withFolder(workerId, (folder) =>
      this.receive(run, creator, hasAuditEntries, folder, signal),
    );
    await this.keep(run, received, hasAuditEntries);
  }

  /** Writes the package to a temporary place of the content store. */
  private async receive(
    run: PackedExport,
    creator: Caller,
    hasAuditEntries: boolean,
    folder: string,
    signal: AbortSignal,
  ): Promise<ReceivedContent> {
    signal.throwIfAborted();
    const { name, scope, createdById, tenantId } = run;
    const facts = await this.uow.read(serviceContext(tenantId), (tx) =>
      this.exports.factsOf(tx, createdById),
    );
    const actor = { tenantId, actorId: createdById, actorName: facts.actorName, accessVersion: null };
    const writer = new PackageWriter(folder, facts.madeAt);
    const { output } = writer;
    const stop = () => output.destroy(signal.reason as Error);
    signal.addEventListener('abort', stop);
    const about = { ...facts, name, timeZone: this.configuration.timeZone, hasAuditEntries };
    const save = (part: PackedPart) => this.save(run, actor, part);
    const builder = new PackageBuilder(this.source, this.store, creator, writer, about, save);
    const received = this.store.receive(output, MAX_PACKAGE_BYTES);
    const building = builder
      .build(run.exportId, scope, this.documentation.document)
      .catch((error: Error) => void output.destroy(error));
    try {
      return await received;
    } finally {
      signal.removeEventListener('abort', stop);
      writer.close();
      await building;
    }
  }

  /** Records what has been packed, with an audit entry for each document. */
  private async save(run: PackedExport, actor: TenantContext, part: PackedPart): Promise<void> {
    await this.uow.write(actor, async (tx) => {
      if (!(await this.exports.savePart(tx, run, part))) throw new RunEnded();
      const related = { exportId: run.exportId };
      for (const { id, title } of part.documents)
        tx.record({ action: 'DocumentExported', subjectId: id, summary: title, related });
    });
  }

  /**
   * Makes the package the content of the export. The reference comes first, so that the sweep keeps the bytes, although no
   * transaction is open while they are moved. Only a `Ready` export can be downloaded.
   */
  private async keep(run: PackedExport, received: ReceivedContent, hasAuditEntries: boolean): Promise<void> {
    const { tenantId } = run;
    const { sha256, size } = received;
    try {
      await this.ensureStorage(run, size);
      await this.write(run, async (tx, { id }) => {
        await this.contents.claim(tx, received);
        await this.exports.update(tx, id, { contentSha256: sha256, size, hasAuditEntries });
      });
      await this.store.keep(tenantId, received);
    } catch (error) {
      await this.store.discard(received);
      throw error;
    }
    try {
      await this.write(run, async (tx, { id, name, createdById }) => {
        await this.exports.setReady(tx, id);
        tx.notify(createdById, 'ExportReady', { exportId: id, name });
      });
    } catch (error) {
      if (error instanceof RunEnded) await this.contents.release(tenantId, sha256);
      throw error;
    }
  }

  /** @throws RunEnded */
  private write(
    run: PackedExport,
    work: (tx: WriteTransaction, found: StoredExport) => Promise<void>,
  ): Promise<void> {
    return this.uow.write(serviceContext(run.tenantId), async (tx) => {
      const found = await this.exports.lockUnfinishedOrNull(tx, run);
      if (!found) throw new RunEnded();
      await work(tx, found);
    });
  }

  private async ensureStorage({ tenantId }: PackedExport, bytes: number): Promise<void> {
    const { limit, used } = await this.tenants.storageOf(tenantId);
    if (used + bytes > (limit ?? this.configuration.tenantStorageLimit))
      throw new ExportFailed('StorageLimitExceeded');
  }
}

/** Null if another attempt may succeed. */
function failureOf(error: unknown, isLastAttempt: boolean): ExportFailure | null {
  if (error instanceof ExportFailed) return error.failure;
  if (error instanceof Problem && error.code === 'request.too-large') return 'TooLarge';
  if (error instanceof Problem && error.code === 'tenant.no-access') return 'NotPermitted';
  if (!isLastAttempt) return null;
  // Before, the document may have been purged meanwhile.
  return error instanceof ContentMissing ? 'ContentDamaged' : 'ServiceError';
}
