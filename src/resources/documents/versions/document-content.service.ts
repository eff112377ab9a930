import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../platform/config/configuration.js';
import { ContentStore } from '../../../platform/content/content-store.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { sendContent } from '../../../platform/http/response/content-response.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { DocumentVersionsRepository } from '../contents/document-versions.repository.js';
import { type ContentQuery } from './document-versions.dto.js';
import { Downloads } from '../contents/downloads.js';

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
    private readonly downloads: Downloads,
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
    const version = await this.uow.read(caller, (tx) => this.versions.getReadable(tx, caller, id, requested));
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
      // A viewer may fetch a content in many ranges.
      beforeBytes: (range) =>
        this.downloads.record(
          caller,
          { action: 'DocumentDownloaded', subjectId: id, summary, contentVersion: number },
          range !== null && range.start > 0,
        ),
    });
  }
}
