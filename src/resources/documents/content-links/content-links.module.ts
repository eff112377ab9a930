import { Module } from '@nestjs/common';
import { DocumentContentsModule } from '../contents/document-contents.module.js';
import { ContentLinkTokens } from './content-link-tokens.js';
import { ContentLinksController } from './content-links.controller.js';
import { ContentLinksService } from './content-links.service.js';
import { LinkedContentController } from './linked-content.controller.js';

/** Addresses of contents that need no token. */
@Module({
  imports: [DocumentContentsModule],
  controllers: [ContentLinksController, LinkedContentController],
  providers: [ContentLinkTokens, ContentLinksService],
})
export class ContentLinksModule {}
