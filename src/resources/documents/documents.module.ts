import { Module } from '@nestjs/common';
import { FilesModule } from '../files/files.module.js';
import { BinPurge } from './bin/bin-purge.js';
import { BinRepository } from './bin/bin.repository.js';
import { BulkChangeController } from './bulk/bulk-change.controller.js';
import { BulkChangeService } from './bulk/bulk-change.service.js';
import { ConfidentialUsersRepository } from './changes/confidential-users.repository.js';
import { DocumentChanges } from './changes/document-changes.js';
import { DocumentChangesRepository } from './changes/document-changes.repository.js';
import { DocumentLinksRepository } from './changes/document-links.repository.js';
import { DocumentRules } from './changes/document-rules.js';
import { ConfidentialAccessController } from './confidentiality/confidential-access.controller.js';
import { ConfidentialAccessRepository } from './confidentiality/confidential-access.repository.js';
import { ConfidentialAccessService } from './confidentiality/confidential-access.service.js';
import { ContentLinkTokens } from './content-links/content-link-tokens.js';
import { ContentLinksController } from './content-links/content-links.controller.js';
import { ContentLinksService } from './content-links/content-links.service.js';
import { LinkedContentController } from './content-links/linked-content.controller.js';
import { DocumentContentsModule } from './contents/document-contents.module.js';
import { DocumentsController } from './documents.controller.js';
import { DocumentsReader } from './documents.reader.js';
import { DocumentsRepository } from './documents.repository.js';
import { DocumentsService } from './documents.service.js';
import { DocumentLinksController } from './links/document-links.controller.js';
import { DocumentLinksService } from './links/document-links.service.js';
import { DocumentValuesModule } from './values/document-values.module.js';
import { DocumentContentService } from './versions/document-content.service.js';
import { DocumentVersionsController } from './versions/document-versions.controller.js';
import { DocumentVersionsReader } from './versions/document-versions.reader.js';
import { DocumentVersionsService } from './versions/document-versions.service.js';

/**
 * The documents themselves, their versions, and what changes them or their links: bulk changes, filing, tags,
 * confidentiality, bin.
 */
@Module({
  imports: [DocumentContentsModule, DocumentValuesModule, FilesModule],
  controllers: [
    BulkChangeController,
    DocumentsController,
    DocumentLinksController,
    DocumentVersionsController,
    ConfidentialAccessController,
    ContentLinksController,
    LinkedContentController,
  ],
  providers: [
    BinPurge,
    BinRepository,
    BulkChangeService,
    ConfidentialAccessRepository,
    ConfidentialAccessService,
    ConfidentialUsersRepository,
    ContentLinkTokens,
    ContentLinksService,
    DocumentChanges,
    DocumentChangesRepository,
    DocumentContentService,
    DocumentLinksRepository,
    DocumentLinksService,
    DocumentRules,
    DocumentVersionsReader,
    DocumentVersionsService,
    DocumentsReader,
    DocumentsRepository,
    DocumentsService,
  ],
  exports: [DocumentRules, DocumentVersionsReader, DocumentsReader, DocumentsRepository],
})
export class DocumentsModule {}
