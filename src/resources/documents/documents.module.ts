import { Module } from '@nestjs/common';
import { DocumentChangesModule } from './changes/document-changes.module.js';
import { DocumentContentsModule } from './contents/document-contents.module.js';
import { DocumentFilingService } from './document-filing.service.js';
import { DocumentLinksController } from './document-links.controller.js';
import { DocumentStatesService } from './document-states.service.js';
import { DocumentTaggingService } from './document-tagging.service.js';
import { DocumentsController } from './documents.controller.js';
import { DocumentsRepository } from './documents.repository.js';
import { DocumentsService } from './documents.service.js';
import { DocumentValuesModule } from './values/document-values.module.js';

/** Documents themselves, above their parts (contents, values, changes) and below what else is done with them. */
@Module({
  imports: [DocumentChangesModule, DocumentContentsModule, DocumentValuesModule],
  controllers: [DocumentsController, DocumentLinksController],
  providers: [
    DocumentFilingService,
    DocumentStatesService,
    DocumentTaggingService,
    DocumentsRepository,
    DocumentsService,
  ],
  exports: [DocumentsRepository],
})
export class DocumentsModule {}
