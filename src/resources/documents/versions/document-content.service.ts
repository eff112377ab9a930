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

/** `version` null means the newest version. */
interface RequestedContent {
  readonly id: string;
  readonly version: number | null;
}

@Injectable()
export class DocumentContentService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly store: ContentStore,
    private readonly versions: DocumentVersionsRepository,
    private readonly downloads: DownloadsRepository,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** See {@link sendContent}. */
  async send(
    caller: Caller,
    { id, version: requested }: RequestedContent,
    { disposition = 'attachment' }: ContentQuery,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const version = await this.uow.read(caller, (tx) =>
      this.versions.findReadable(tx, caller, id, requested),
    );
    if (version === undefined || (version === null && requested !== null)) throw notFound();
    if (version === null) throw new Problem('document.without-content');
    const { number, title, contentSha256, size, mediaType, fileName } = version;
    // Version 1 is the only version of most documents, so its number is left out.
    const summary = number === 1 && requested === null ? title : `${title}: version ${number}`;
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
   * Called before the first byte is sent, so that each download has an audit entry; HEAD and 304 send no
   * bytes. A viewer may fetch a content in many ranges: a range that does not start at 0 counts as part of a
   * download that the same user started within the last hour, and is only recorded if there is none.
   */
  private async recordDownload(
    caller: Caller,
    download: AuditRecord<'DocumentDownloaded'> & { readonly contentVersion: number },
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
