import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Problem, notFound } from '../common/problem.js';
import { type ByteRange, ContentStore } from '../content/content-store.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { sendContent } from '../http/content-response.js';
import { type Caller } from '../tenancy/caller.js';
import { type DocumentView, DocumentsRepository } from './documents.repository.js';

/** Hands out the bytes of documents. */
@Injectable()
export class DocumentContentService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly store: ContentStore,
    private readonly documents: DocumentsRepository,
  ) {}

  /** Answers the request by itself; see {@link sendContent}. */
  async send(caller: Caller, id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const document = await this.uow.read(caller, (tx) => this.documents.findReadable(tx, caller, id));
    if (!document) throw notFound();
    const { contentSha256, contentSize, contentMediaType, contentFileName } = document;
    if (contentSha256 === null || contentSize === null || contentMediaType === null) {
      throw new Problem('document.without-content');
    }
    await sendContent(request, response, {
      store: this.store,
      tenantId: caller.tenantId,
      sha256: contentSha256,
      size: contentSize,
      mediaType: contentMediaType,
      fileName: contentFileName,
      disposition: 'attachment',
      beforeBytes: (range) => this.recordDownload(caller, document, range),
    });
  }

  /**
   * Nobody gets a byte that the audit log does not tell of, so this is written before the first one leaves; HEAD and
   * 304 send none. A viewer may fetch one document in many ranges: a range from further on is taken for the rest of
   * a download that the same person began within the last hour, and recorded only if there was none.
   */
  private async recordDownload(
    caller: Caller,
    { id, title }: DocumentView,
    range: ByteRange | null,
  ): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      if (range && range.start > 0) {
        const begun = await tx.query(
          `SELECT FROM audit_entries e
            WHERE e.tenant_id = $1 AND e.subject_id = $2 AND e.occurred_at > now() - interval '1 hour'
              AND e.action = 'DocumentDownloaded' AND e.actor_id = $3 LIMIT 1`,
          [tx.tenantId, id, caller.user.id],
        );
        if (begun.length > 0) return;
      }
      tx.record({ action: 'DocumentDownloaded', subjectId: id, summary: title });
    });
  }
}
