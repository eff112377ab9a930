import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { Problem, notFound } from '../../../common/problem.js';
import { CONFIGURATION, type Configuration } from '../../../platform/config/configuration.js';
import { type ByteRange, ContentStore } from '../../../platform/content/content-store.js';
import { type AuditRecord } from '../../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { sendContent } from '../../../platform/http/response/content-response.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { DocumentVersionsRepository } from '../contents/document-versions.repository.js';
import { type ContentQuery } from './document-content.dto.js';
import { DownloadsRepository } from './downloads.repository.js';

/** The content of a document: that of one of its versions, or of the newest (null). */
interface RequestedContent {
  readonly id: string;
  readonly version: number | null;
}

/** Hands out the bytes of documents. */
@Injectable()
export class DocumentContentService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly store: ContentStore,
    private readonly versions: DocumentVersionsRepository,
    private readonly downloads: DownloadsRepository,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** Answers the request by itself; see {@link sendContent}. */
  async send(
    caller: Caller,
    { id, version: asked }: RequestedContent,
    { disposition = 'attachment' }: ContentQuery,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const version = await this.uow.read(caller, (tx) => this.versions.findReadable(tx, caller, id, asked));
    if (version === undefined || (version === null && asked !== null)) throw notFound();
    if (version === null) throw new Problem('document.without-content');
    const { number, title, contentSha256, size, mediaType, fileName } = version;
    // Of what most documents have, the first and only one, the title alone tells.
    const summary = number === 1 && asked === null ? title : `${title}: version ${number}`;
    await sendContent(request, response, {
      store: this.store,
      tenantId: caller.tenantId,
      sha256: contentSha256,
      size,
      mediaType,
      fileName,
      disposition,
      idleTimeoutMs: this.configuration.uploadIdleTimeout,
      beforeBytes: (range) =>
        this.recordDownload(
          caller,
          { action: 'DocumentDownloaded', subjectId: id, summary, contentVersion: number },
          range,
        ),
    });
  }

  /**
   * Written before the first byte leaves, so that each download has its entry; HEAD and 304 send none. A viewer may
   * fetch one content in many ranges: a range from further on is taken for the rest of a download that the same user
   * began within the last hour, and recorded only if there was none.
   */
  private async recordDownload(
    caller: Caller,
    download: AuditRecord & { readonly contentVersion: number },
    range: ByteRange | null,
  ): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const { subjectId, contentVersion } = download;
      const mayContinue = range !== null && range.start > 0;
      if (mayContinue && (await this.downloads.hasBegun(tx, subjectId, contentVersion, caller.user.id)))
        return;
      tx.record(download);
    });
  }
}
