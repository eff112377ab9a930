import { Module } from '@nestjs/common';
import { DocumentContentsModule } from '../contents/document-contents.module.js';
import { DocumentProcessing } from './document-processing.js';
import { StuckDocuments } from './stuck-documents.js';
import { ProcessingRepository } from './processing.repository.js';

@Module({
  imports: [DocumentContentsModule],
  providers: [DocumentProcessing, StuckDocuments, ProcessingRepository],
})
export class DocumentProcessingModule {}
