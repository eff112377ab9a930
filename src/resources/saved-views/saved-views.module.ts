import { Module } from '@nestjs/common';
import { DocumentFiltersModule } from '../document-filters/document-filters.module.js';
import { SavedViewsController } from './saved-views.controller.js';
import { SavedViewsReader } from './saved-views.reader.js';
import { SavedViewsRepository } from './saved-views.repository.js';
import { SavedViewsService } from './saved-views.service.js';

@Module({
  imports: [DocumentFiltersModule],
  controllers: [SavedViewsController],
  providers: [SavedViewsReader, SavedViewsRepository, SavedViewsService],
  exports: [SavedViewsReader],
})
export class SavedViewsModule {}
