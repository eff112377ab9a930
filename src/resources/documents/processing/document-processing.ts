import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type ProcessingFailure } from '../../../common/vocabulary/processing-failures.js';
import { ContentMissing, ContentStore } from '../../../platform/content/content-store.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { Extractor, type FileMetadata, ReadingFailed } from '../../../platform/extraction/extractor.js';
import { JobRunner } from '../../../platform/jobs/job-runner.js';
import { type Job, mayPrecedeCommit } from '../../../platform/jobs/job.js';
import { ProcessingFolder } from '../../../platform/jobs/processing-folder.js';
import { Log } from '../../../platform/logging/log.js';
import { serviceContext } from '../../../platform/tenancy/access/access.directory.js';
import { DocumentTextsRepository } from '../contents/document-texts.repository.js';
import {
  DocumentVersionsRepository,
  type VersionMetadata,
} from '../contents/document-versions.repository.js';
import { ContentDamaged, copyContent } from './content-copy.js';
import {
  ProcessingRepository,
  type UnprocessedContent,
  type UnprocessedDocument,
} from './processing.repository.js';

/** Letters, marks and digits, joined by characters that occur within words: `don't`, `3.5`, `E-Mail`. */
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’.,-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu;

/** Counts the words without building a list, so that memory use does not grow with the text. */
function countWords(text: string): number {
  let count = 0;
  WORD.lastIndex = 0;
  while (WORD.test(text)) count += 1;
  return count;
}

type ProcessingResult = VersionMetadata & {
  readonly failure: ProcessingFailure | null;
  readonly text: string | null;
};

/**
 * Maximum attempts for a document whose extraction process fails after at least this time. Faster failures
 * are retried more often, because they cost little.
 */
const LONG_READ = { ms: 5000, attempts: 3 };

/**
 * Reads the contents of documents: detects the media type, counts pages and extracts text. The document is
 * Active afterwards, even if this fails. Running it twice, even concurrently, is safe: only the first result
 * is saved.
 */
@Injectable()
export class DocumentProcessing implements OnModuleInit {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly store: ContentStore,
    private readonly extractor: Extractor,
    private readonly documents: ProcessingRepository,
    private readonly versions: DocumentVersionsRepository,
    private readonly texts: DocumentTextsRepository,
    private readonly folder: ProcessingFolder,
    private readonly runner: JobRunner,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.runner.handle('ProcessDocument', (job) => this.process(job));
  }

  async process(job: Job<'ProcessDocument'>): Promise<void> {
    const { tenantId, payload } = job;
    const content = await this.uow.read(serviceContext(tenantId), (tx) =>
      this.documents.findUnprocessed(tx, payload),
    );
    if (!content) return this.checkCommitted(job);
    await this.saveResult(tenantId, payload, await this.readContent(job, content));
  }

  /** @throws when the document does not exist and may be committed later */
  private async checkCommitted(job: Job<'ProcessDocument'>): Promise<void> {
    if (!mayPrecedeCommit(this.uow.layout, job)) return;
    const { tenantId, payload } = job;
    const exists = await this.uow.read(serviceContext(tenantId), (tx) =>
      this.documents.exists(tx, payload.documentId),
    );
    if (!exists) throw new Error(`The document ${payload.documentId} is deleted, or not committed yet`);
  }

  /**
   * For a job without further attempts: makes its document Active with a failure, so that it does not stay
   * Processing.
   */
  async markFailed(tenantId: string, document: UnprocessedDocument): Promise<void> {
    const content = await this.uow.read(serviceContext(tenantId), (tx) =>
      this.documents.findUnprocessed(tx, document),
    );
    if (!content) return;
    this.log.error({ tenantId, ...document }, 'processing of a document failed for the last time');
    await this.saveResult(tenantId, document, failedResult(content, 'ContentUnavailable'));
  }

  /** @throws errors that are worth another attempt */
  private async readContent(
    job: Job<'ProcessDocument'>,
    content: UnprocessedContent,
  ): Promise<ProcessingResult> {
    const { tenantId, payload, signal } = job;
    const began = Date.now();
    try {
      return await this.folder.withFile(job.workerId, async (path) => {
        const { sha256, size, fileName, claimedMediaType } = content;
        await copyContent(this.store, { tenantId, sha256, size }, path, signal);
        const { text, failure, recognisedPages, ...known } = await this.extractor.extract(
          { path, owner: tenantId, fileName, claimedType: claimedMediaType },
          signal,
        );
        const wordCount = text === null ? null : countWords(text);
        return { ...columnsOf(known), wordCount, recognisedPages, failure, text };
      });
    } catch (err) {
      // All contents are missing while the storage folder is not mounted, so retry until the last attempt.
      if (err instanceof ContentDamaged || (err instanceof ContentMissing && job.isLastAttempt)) {
        this.log.error(
          { err, tenantId, ...payload, sha256: content.sha256 },
          'the content of a document is damaged',
        );
        return failedResult(content, 'ContentDamaged');
      }
      const costly =
        err instanceof ReadingFailed &&
        Date.now() - began >= LONG_READ.ms &&
        job.attempt >= LONG_READ.attempts;
      if (signal.aborted || !(job.isLastAttempt || costly)) throw err;
      this.log.error({ err, tenantId, ...payload }, 'processing of a document failed for the last time');
      if (!(err instanceof ReadingFailed)) return failedResult(content, 'ContentUnavailable');
      return { ...failedResult(content, 'Unreadable'), ...(err.metadata && columnsOf(err.metadata)) };
    }
  }

  /**
   * Saves everything in one transaction, unless another run already has. A failure does not replace the text of an
   * earlier reading: the bytes are the same, so it was caused by the limits or the machine.
   */
  private async saveResult(
    tenantId: string,
    document: UnprocessedDocument,
    { text, ...findings }: ProcessingResult,
  ): Promise<void> {
    await this.uow.write(serviceContext(tenantId), async (tx) => {
      const content = await this.documents.lockUnprocessed(tx, document);
      if (!content) return;
      const { documentId, version } = document;
      if (findings.failure !== null && content.hasText) {
        this.log.warn({ tenantId, ...document, reason: findings.failure }, 'reading a content again failed');
        return this.documents.keepText(tx, document);
      }
      await this.versions.saveMetadata(tx, documentId, version, findings);
      await this.texts.replaceText(tx, documentId, text);
      await this.documents.activate(tx, document);
      if (findings.failure === null || !content.isFirstReading) return;
      tx.notify(content.uploadedBy, 'DocumentProcessingFailed', {
        documentId,
        documentTitle: content.title,
        reason: findings.failure,
      });
    });
  }
}

function columnsOf({
  mediaType,
  pageCount,
  image,
}: FileMetadata): Omit<VersionMetadata, 'wordCount' | 'recognisedPages' | 'failure'> {
  return {
    mediaType,
    pageCount,
    imageWidth: image?.width ?? null,
    imageHeight: image?.height ?? null,
  };
}

function failedResult({ mediaType }: UnprocessedContent, failure: ProcessingFailure): ProcessingResult {
  const known = { mediaType, pageCount: null, image: null };
  return { ...columnsOf(known), wordCount: null, recognisedPages: [], failure, text: null };
}
