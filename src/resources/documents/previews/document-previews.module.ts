import { Module, type OnModuleInit } from '@nestjs/common';
import { ExpirySweep } from '../../../platform/tenancy/tenants/expiry-sweep.js';
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
export class DocumentPreviewsModule implements OnModuleInit {
  constructor(
    private readonly sweep: ExpirySweep,
    private readonly previews: DocumentPreviewsRepository,
  ) {}

  onModuleInit(): void {
    this.sweep.register(this.previews);
  }
}
