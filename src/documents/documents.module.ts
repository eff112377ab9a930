import { Module } from '@nestjs/common';
import { DocumentTypesModule } from '../document-types/document-types.module.js';
import { FilesModule } from '../files/files.module.js';
import { ConfidentialAccessController } from './confidential-access.controller.js';
import { ConfidentialAccessRepository } from './confidential-access.repository.js';
import { ConfidentialAccessService } from './confidential-access.service.js';
import { ContentSweeper } from './content-sweeper.js';
import { ContentsRepository } from './contents.repository.js';
import { DocumentContentService } from './document-content.service.js';
import { DocumentFilingService } from './document-filing.service.js';
import { DocumentLinksController } from './document-links.controller.js';
import { DocumentLinksRepository } from './document-links.repository.js';
import { DocumentRules } from './document-rules.js';
import { DocumentStatesService } from './document-states.service.js';
import { DocumentTaggingService } from './document-tagging.service.js';
import { DocumentsController } from './documents.controller.js';
import { DocumentsRepository } from './documents.repository.js';
import { DocumentsService } from './documents.service.js';
import { DocumentValuesRepository } from './values/document-values.repository.js';
import { DocumentValues } from './values/document-values.js';
import { ReferenceTargets } from './values/reference-targets.js';

@Module({
  imports: [DocumentTypesModule, FilesModule],
  controllers: [DocumentsController, DocumentLinksController, ConfidentialAccessController],
  providers: [
    ConfidentialAccessRepository,
    ConfidentialAccessService,
    ContentSweeper,
    ContentsRepository,
    DocumentContentService,
    DocumentFilingService,
    DocumentLinksRepository,
    DocumentRules,
    DocumentStatesService,
    DocumentTaggingService,
    DocumentValues,
    DocumentValuesRepository,
    DocumentsRepository,
    DocumentsService,
    ReferenceTargets,
  ],
})
export class DocumentsModule {}
