import { Module } from '@nestjs/common';
import { DocumentContentsModule } from '../contents/document-contents.module.js';
import { DocumentProcessing } from './document-processing.js';
import { StuckDocuments } from './stuck-documents.js';
import { ProcessingFolder } from './processing-folder.js';
import { ProcessingRepository } from './processing.repository.js';

@Module({
  imports: [DocumentContentsModule],
  providers: [DocumentProcessing, StuckDocuments, ProcessingFolder, ProcessingRepository],
})
export class DocumentProcessingModule {}
