import { Module } from '@nestjs/common';
import { DocumentChangesModule } from './changes/document-changes.module.js';
import { DocumentContentsModule } from './contents/document-contents.module.js';
import { DocumentStatesService } from './document-states.service.js';
import { DocumentsController } from './documents.controller.js';
import { DocumentsReader } from './documents.reader.js';
import { DocumentsRepository } from './documents.repository.js';
import { DocumentsService } from './documents.service.js';
import { DocumentValuesModule } from './values/document-values.module.js';

/**
 * The documents themselves. May use the modules for contents, values and changes; the other modules of this
 * folder may use it.
 */
@Module({
  imports: [DocumentChangesModule, DocumentContentsModule, DocumentValuesModule],
  controllers: [DocumentsController],
  providers: [DocumentStatesService, DocumentsReader, DocumentsRepository, DocumentsService],
  exports: [DocumentsReader, DocumentsRepository],
})
export class DocumentsModule {}
