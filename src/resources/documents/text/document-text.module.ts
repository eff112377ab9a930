import { Module } from '@nestjs/common';
import { DocumentContentsModule } from '../contents/document-contents.module.js';
import { DocumentTextController } from './document-text.controller.js';
import { DocumentTextRepository } from './document-text.repository.js';
import { DocumentTextService } from './document-text.service.js';

/** The text that was read from the content of a document. */
@Module({
  imports: [DocumentContentsModule],
  controllers: [DocumentTextController],
  providers: [DocumentTextRepository, DocumentTextService],
})
export class DocumentTextModule {}
