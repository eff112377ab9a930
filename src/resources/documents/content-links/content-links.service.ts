import { Inject, Injectable } from '@nestjs/common';
import { notFound } from '../../../common/problem.js';
import { CONFIGURATION, type Configuration } from '../../../platform/config/configuration.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { DocumentVersionsRepository } from '../contents/document-versions.repository.js';
import {
  type ContentLinkResponse,
  type CreateContentLinkBody,
  expiryOf,
  kindOf,
  targetOf,
} from './content-link.dto.js';
import { ContentLinkTokens } from './content-link-tokens.js';

@Injectable()
export class ContentLinksService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly versions: DocumentVersionsRepository,
    private readonly tokens: ContentLinkTokens,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** The rights are checked again when the link is used. Here, the check gives the caller the error. */
  async create(
    caller: Caller,
    documentId: string,
    body: CreateContentLinkBody,
  ): Promise<ContentLinkResponse> {
    const { version = null } = body;
    const { number } = await this.uow.read(caller, (tx) =>
      this.versions.getReadable(tx, caller, documentId, kindOf(body) === 'preview' ? null : version),
    );
    if (version !== null && version !== number) throw notFound();
    const { slug } = caller.tenant;
    const expiresAt = expiryOf(body);
    const target = targetOf(documentId, body);
    const token = this.tokens.write(slug, { userId: caller.user.id, expiresAt, target });
    return {
      url: `${this.configuration.publicUrl}/api/v1/t/${slug}/content-links/${token}`,
      expiresAt: expiresAt.toISOString(),
    };
  }
}
