import { Module } from '@nestjs/common';
import { DocumentFiltersModule } from '../../document-filters/document-filters.module.js';
import { DocumentTypesModule } from '../../document-types/document-types.module.js';
import { FilesModule } from '../../files/files.module.js';
import { SavedViewsModule } from '../../saved-views/saved-views.module.js';
import { DocumentContentsModule } from '../contents/document-contents.module.js';
import { DocumentsModule } from '../documents.module.js';
import { ValueIndexing } from '../indexing/value-indexing.js';
import { SuggestionsController } from '../suggestions/suggestions.controller.js';
import { SuggestionsRepository } from '../suggestions/suggestions.repository.js';
import { SuggestionsService } from '../suggestions/suggestions.service.js';
import { DocumentValuesModule } from '../values/document-values.module.js';
import { LexiconReader } from '../words/lexicon.reader.js';
import { LexiconRepository } from '../words/lexicon.repository.js';
import { LexiconUpdates } from '../words/lexicon-updates.js';
import { DocumentSearchController } from './document-search.controller.js';
import { DocumentSearchReader } from './document-search.reader.js';
import { DocumentSearchRepository } from './document-search.repository.js';
import { DocumentSearchService } from './document-search.service.js';
import { SearchSharesReader } from './search-shares.reader.js';

/** Searches, suggestions while a user types one, and the words that both need. */
@Module({
  imports: [
    DocumentContentsModule,
    DocumentFiltersModule,
    DocumentTypesModule,
    DocumentValuesModule,
    DocumentsModule,
    FilesModule,
    SavedViewsModule,
  ],
  controllers: [DocumentSearchController, SuggestionsController],
  providers: [
    DocumentSearchReader,
    DocumentSearchRepository,
    DocumentSearchService,
    LexiconReader,
    LexiconRepository,
    LexiconUpdates,
    SearchSharesReader,
    SuggestionsRepository,
    SuggestionsService,
    ValueIndexing,
  ],
  exports: [DocumentSearchReader],
})
export class DocumentSearchModule {}
