import { Module } from '@nestjs/common';
import { DocumentContentsModule } from '../contents/document-contents.module.js';
import { DocumentProcessing } from './document-processing.js';
import { LostDocuments } from './lost-documents.js';
import { ProcessingFolder } from './processing-folder.js';
import { ProcessingRepository } from './processing.repository.js';

@Module({
  imports: [DocumentContentsModule],
  providers: [DocumentProcessing, LostDocuments, ProcessingFolder, ProcessingRepository],
})
export class DocumentProcessingModule {}
