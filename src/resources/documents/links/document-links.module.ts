import { Module } from '@nestjs/common';
import { DocumentChangesModule } from '../changes/document-changes.module.js';
import { DocumentsModule } from '../documents.module.js';
import { DocumentFilingService } from './document-filing.service.js';
import { DocumentLinksController } from './document-links.controller.js';
import { DocumentTaggingService } from './document-tagging.service.js';

@Module({
  imports: [DocumentChangesModule, DocumentsModule],
  controllers: [DocumentLinksController],
  providers: [DocumentFilingService, DocumentTaggingService],
})
export class DocumentLinksModule {}
