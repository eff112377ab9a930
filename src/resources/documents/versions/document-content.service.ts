import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { Problem, notFound } from '../../../common/problem.js';
import { CONFIGURATION, type Configuration } from '../../../platform/config/configuration.js';
import { type ByteRange, ContentStore } from '../../../platform/content/content-store.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { sendContent } from '../../../platform/http/response/content-response.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { type ContentQuery } from './document-content.dto.js';
import { DocumentVersionsRepository } from '../contents/document-versions.repository.js';

/** The content of a document: that of one of its versions, or of the newest (null). */
interface AskedContent {
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
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** Answers the request by itself; see {@link sendContent}. */
  async send(
    caller: Caller,
    { id, version: asked }: AskedContent,
    { disposition = 'attachment' }: ContentQuery,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const version = await this.uow.read(caller, (tx) => this.versions.findReadable(tx, caller, id, asked));
    if (version === undefined || (version === null && asked !== null)) throw notFound();
    if (version === null) throw new Problem('document.without-content');
    const { number, title, contentSha256, size, mediaType, fileName } = version;
    const numbered = `${title}: version ${number}`;
    // Of what most documents have, the first and only one, the title alone tells.
    const summary = number === 1 && asked === null ? title : numbered;
    const told = number === 1 ? [title, numbered] : [numbered];
    await sendContent(request, response, {
      store: this.store,
      tenantId: caller.tenantId,
      sha256: contentSha256,
      size,
      mediaType,
      fileName,
      disposition,
      idleTimeoutMs: this.configuration.uploadIdleTimeout,
      beforeBytes: (range) => this.recordDownload(caller, { id, summary, told }, range),
    });
  }

  /**
   * Nobody gets a byte that the audit log does not tell of, so this is written before the first one leaves; HEAD and
   * 304 send none. A viewer may fetch one content in many ranges: a range from further on is taken for the rest of
   * a download of it that the same person began within the last hour, and recorded only if there was none.
   *
   * @param told the summaries that entries about this content have
   */
  private async recordDownload(
    caller: Caller,
    { id, summary, told }: { id: string; summary: string; told: readonly string[] },
    range: ByteRange | null,
  ): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      if (range && range.start > 0) {
        const begun = await tx.query(
          `SELECT FROM audit_entries e
            WHERE e.tenant_id = $1 AND e.subject_id = $2 AND e.occurred_at > now() - interval '1 hour'
              AND e.action = 'DocumentDownloaded' AND e.actor_id = $3
              AND e.summary = ANY ($4) LIMIT 1`,
          [tx.tenantId, id, caller.user.id, told],
        );
        if (begun.length > 0) return;
      }
      tx.record({ action: 'DocumentDownloaded', subjectId: id, summary });
    });
  }
}
