import { Module } from '@nestjs/common';
import { DocumentChangesModule } from '../changes/document-changes.module.js';
import { DocumentsModule } from '../documents.module.js';
import { ConfidentialAccessController } from './confidential-access.controller.js';
import { ConfidentialAccessRepository } from './confidential-access.repository.js';
import { ConfidentialAccessService } from './confidential-access.service.js';

@Module({
  imports: [DocumentChangesModule, DocumentsModule],
  controllers: [ConfidentialAccessController],
  providers: [ConfidentialAccessRepository, ConfidentialAccessService],
})
export class DocumentConfidentialityModule {}
