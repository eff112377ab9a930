import { Module } from '@nestjs/common';
import { DocumentFiltersModule } from '../document-filters/document-filters.module.js';
import { DocumentTypesModule } from '../document-types/document-types.module.js';
import { FilesModule } from '../files/files.module.js';
import { SavedViewsModule } from '../saved-views/saved-views.module.js';
import { BulkChangeController } from './bulk/bulk-change.controller.js';
import { BulkChangeService } from './bulk/bulk-change.service.js';
import { ConfidentialAccessController } from './confidential-access.controller.js';
import { ConfidentialAccessRepository } from './confidential-access.repository.js';
import { ConfidentialAccessService } from './confidential-access.service.js';
import { ContentSweeper } from './content-sweeper.js';
import { ContentsRepository } from './contents.repository.js';
import { DocumentChangesRepository } from './document-changes.repository.js';
import { DocumentChanges } from './document-changes.js';
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
import { DocumentProcessing } from './processing/document-processing.js';
import { LostDocuments } from './processing/lost-documents.js';
import { ProcessingFolder } from './processing/processing-folder.js';
import { ProcessingRepository } from './processing/processing.repository.js';
import { BinPurge } from './purge/bin-purge.js';
import { BinRepository } from './purge/bin.repository.js';
import { DocumentSearchController } from './search/document-search.controller.js';
import { DocumentSearchRepository } from './search/document-search.repository.js';
import { DocumentSearchService } from './search/document-search.service.js';
import { DocumentValuesRepository } from './values/document-values.repository.js';
import { DocumentValues } from './values/document-values.js';
import { ReferenceTargets } from './values/reference-targets.js';
import { DocumentTexts } from './texts/document-texts.js';
import { DocumentContents } from './versions/document-contents.js';
import { DocumentVersionsController } from './versions/document-versions.controller.js';
import { DocumentVersionsRepository } from './versions/document-versions.repository.js';
import { DocumentVersionsService } from './versions/document-versions.service.js';

@Module({
  imports: [DocumentFiltersModule, DocumentTypesModule, FilesModule, SavedViewsModule],
  controllers: [
    BulkChangeController,
    DocumentsController,
    DocumentSearchController,
    DocumentVersionsController,
    DocumentLinksController,
    ConfidentialAccessController,
  ],
  providers: [
    BinPurge,
    BinRepository,
    BulkChangeService,
    ConfidentialAccessRepository,
    ConfidentialAccessService,
    ContentSweeper,
    ContentsRepository,
    DocumentChanges,
    DocumentChangesRepository,
    DocumentContentService,
    DocumentContents,
    DocumentFilingService,
    DocumentLinksRepository,
    DocumentProcessing,
    DocumentRules,
    DocumentSearchRepository,
    DocumentSearchService,
    DocumentStatesService,
    DocumentTaggingService,
    DocumentTexts,
    DocumentValues,
    DocumentValuesRepository,
    DocumentVersionsRepository,
    DocumentVersionsService,
    DocumentsRepository,
    DocumentsService,
    LostDocuments,
    ProcessingFolder,
    ProcessingRepository,
    ReferenceTargets,
  ],
})
export class DocumentsModule {}
