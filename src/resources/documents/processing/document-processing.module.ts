import { Module } from '@nestjs/common';
import { DocumentContentsModule } from '../contents/document-contents.module.js';
import { DocumentsModule } from '../documents.module.js';
import { DocumentProcessing } from './document-processing.js';
import { ProcessingRepository } from './processing.repository.js';
import { ReprocessingController } from './reprocessing.controller.js';
import { ReprocessingService } from './reprocessing.service.js';
import { StuckDocuments } from './stuck-documents.js';

/** Reads the contents of documents: after an upload, and again when a caller asks for it. */
@Module({
  imports: [DocumentContentsModule, DocumentsModule],
  controllers: [ReprocessingController],
  providers: [DocumentProcessing, ProcessingRepository, ReprocessingService, StuckDocuments],
})
export class DocumentProcessingModule {}
