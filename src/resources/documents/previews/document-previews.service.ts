import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Problem, notFound } from '../../../common/problem.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { Previewer, knownPages } from '../../../platform/extraction/previewer.js';
import { answersWithBody } from '../../../platform/http/response/answers-with-body.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { Downloads } from '../contents/downloads.js';
import { type DocumentPreviewQuery, sizeOf } from './document-preview.dto.js';
import {
  DocumentPreviewsRepository,
  type PreviewKey,
  type StoredPreview,
} from './document-previews.repository.js';
import { type PreviewedContent, PreviewRenderer } from './preview-renderer.js';

interface FoundContent extends PreviewedContent {
  readonly title: string;
  readonly version: number;
}

@Injectable()
export class DocumentPreviewsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly previews: DocumentPreviewsRepository,
    private readonly renderer: PreviewRenderer,
    private readonly previewer: Previewer,
    private readonly downloads: Downloads,
  ) {}

  /** The access to a legible preview is recorded if the response contains it. */
  async get(
    caller: Caller,
    id: string,
    query: DocumentPreviewQuery,
    request: IncomingMessage,
  ): Promise<Buffer> {
    const { page, width } = sizeOf(query);
    const content = await this.find(caller, id, page);
    if (query.version !== undefined && query.version !== content.version) throw notFound();
    const key = { documentId: id, version: content.version, page, width };
    const { image, isLegible } = await this.preview(caller, key, content);
    if (isLegible && answersWithBody(request, image)) {
      const { title, version: contentVersion } = content;
      await this.downloads.record(
        caller,
        { action: 'DocumentDownloaded', subjectId: id, summary: `${title}: preview`, contentVersion },
        true,
      );
    }
    return image;
  }

  private async preview(caller: Caller, key: PreviewKey, content: FoundContent): Promise<StoredPreview> {
    const stored = await this.uow.read(caller, (tx) => this.previews.find(tx, key));
    if (stored) return stored;
    if (stored === null) throw new Problem('document.without-preview');
    const preview = await this.renderer.render(caller, key, content);
    // The rights of the caller may have changed in the meantime.
    await this.find(caller, key.documentId, key.page);
    if (!preview) throw new Problem('document.without-preview');
    return preview;
  }

  private async find(caller: Caller, id: string, page: number): Promise<FoundContent> {
    const { version: previewer } = this.previewer;
    const document = await this.uow.read(caller, (tx) =>
      this.previews.findReadable(tx, caller, id, previewer),
    );
    if (!document) throw notFound();
    const { title, contentVersion: version, contentSha256: sha256, contentSize: size } = document;
    const { contentMediaType: mediaType, contentPageCount, previewPages } = document;
    if (version === null || sha256 === null || size === null || mediaType === null)
      throw new Problem('document.without-content');
    // Until then, the media type is the one that the client sent.
    if (document.contentText === 'Pending' && document.status === 'Processing')
      throw new Problem('document.processing');
    const support = await this.previewer.supportFor(mediaType);
    if (support === 'ProgramMissing') throw new Problem('document.preview-not-installed');
    if (support === 'Unsupported' || document.hasFailed) throw new Problem('document.without-preview');
    const pages = previewPages ?? knownPages(mediaType, contentPageCount);
    if (page > (pages ?? Infinity)) throw new Problem('document.without-page');
    return { title, version, sha256, size, mediaType, pages };
  }
}
