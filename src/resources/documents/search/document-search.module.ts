import { Module } from '@nestjs/common';
import { DocumentFiltersModule } from '../../document-filters/document-filters.module.js';
import { DocumentTypesModule } from '../../document-types/document-types.module.js';
import { FilesModule } from '../../files/files.module.js';
import { SavedViewsModule } from '../../saved-views/saved-views.module.js';
import { DocumentsModule } from '../documents.module.js';
import { DocumentWordsModule } from '../words/document-words.module.js';
import { DocumentSearchController } from './document-search.controller.js';
import { DocumentSearchReader } from './document-search.reader.js';
import { DocumentSearchRepository } from './document-search.repository.js';
import { DocumentSearchService } from './document-search.service.js';

@Module({
  imports: [
    DocumentFiltersModule,
    DocumentTypesModule,
    DocumentsModule,
    DocumentWordsModule,
    FilesModule,
    SavedViewsModule,
  ],
  controllers: [DocumentSearchController],
  providers: [DocumentSearchReader, DocumentSearchRepository, DocumentSearchService],
  exports: [DocumentSearchReader],
})
export class DocumentSearchModule {}
