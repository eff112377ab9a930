import { Module } from '@nestjs/common';
import { DocumentContentsModule } from '../contents/document-contents.module.js';
import { DocumentsModule } from '../documents.module.js';
import { DocumentContentService } from './document-content.service.js';
import { DocumentVersionsController } from './document-versions.controller.js';
import { DocumentVersionsReader } from './document-versions.reader.js';
import { DocumentVersionsService } from './document-versions.service.js';

@Module({
  imports: [DocumentContentsModule, DocumentsModule],
  controllers: [DocumentVersionsController],
  providers: [DocumentContentService, DocumentVersionsReader, DocumentVersionsService],
  exports: [DocumentVersionsReader],
})
export class DocumentVersionsModule {}
