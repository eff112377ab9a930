import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Problem, notFound } from '../../../common/problem.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { Previewer, knownPages } from '../../../platform/extraction/previewer.js';
import { answersWithBody } from '../../../platform/http/response/answers-with-body.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { Downloads } from '../contents/downloads.js';
import { type DocumentPreviewQuery, sizeOf } from './document-preview.dto.js';
import { DocumentPreviewsRepository, type PreviewKey } from './document-previews.repository.js';
import { PreviewRenderer } from './preview-renderer.js';

/** The text of a page is legible in wider previews: they are recorded like a download. */
const MAX_UNRECORDED_WIDTH = 400;

interface FoundContent {
  readonly title: string;
  readonly version: number;
  readonly sha256: string;
  readonly size: number;
  readonly mediaType: string;
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
    const key = { documentId: id, version: content.version, page, width };
    const image = await this.image(caller, key, content);
    if (width > MAX_UNRECORDED_WIDTH && answersWithBody(request, image))
      await this.record(caller, id, content);
    return image;
  }

  private async image(caller: Caller, key: PreviewKey, content: FoundContent): Promise<Buffer> {
    const stored = await this.uow.read(caller, (tx) => this.previews.find(tx, key));
    if (stored) return stored;
    if (stored === null) throw new Problem('document.without-preview');
    const owner = { tenant: caller.tenantId, caller: caller.user.id };
    const image = await this.renderer.render(owner, key, content);
    // The rights of the caller may have changed in the meantime.
    await this.find(caller, key.documentId, key.page);
    if (!image) throw new Problem('document.without-preview');
    return image;
  }

  private async find(caller: Caller, id: string, page: number): Promise<FoundContent> {
    const document = await this.uow.read(caller, (tx) => this.previews.findReadable(tx, caller, id));
    if (!document) throw notFound();
    const { title, contentVersion: version, contentSha256: sha256, contentSize: size } = document;
    const { contentMediaType: mediaType, contentPageCount: pages } = document;
    if (version === null || sha256 === null || size === null || mediaType === null)
      throw new Problem('document.without-content');
    // Until then, the media type is the one that the client sent.
    if (document.contentText === 'Pending' && document.status === 'Processing')
      throw new Problem('document.processing');
    if (!this.previewer.supports(mediaType)) throw new Problem('document.without-preview');
    if (page > (knownPages(mediaType, pages) ?? Infinity)) throw new Problem('document.without-page');
    return { title, version, sha256, size, mediaType };
  }

  private record(caller: Caller, id: string, { title, version }: FoundContent): Promise<void> {
    const preview = { subjectId: id, summary: `${title}: preview`, contentVersion: version };
    return this.downloads.record(caller, preview, true);
  }
}
