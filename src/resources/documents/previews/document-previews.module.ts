import { Module } from '@nestjs/common';
import { DocumentContentsModule } from '../contents/document-contents.module.js';
import { DocumentPreviewsController } from './document-previews.controller.js';
import { DocumentPreviewsRepository } from './document-previews.repository.js';
import { DocumentPreviewsService } from './document-previews.service.js';
import { PreviewRenderer } from './preview-renderer.js';

/** Pictures of the pages of contents. */
@Module({
  imports: [DocumentContentsModule],
  controllers: [DocumentPreviewsController],
  providers: [DocumentPreviewsRepository, DocumentPreviewsService, PreviewRenderer],
})
export class DocumentPreviewsModule {}
