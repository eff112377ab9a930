import { Module } from '@nestjs/common';
import { FilesModule } from '../../files/files.module.js';
import { SuggestionsController } from './suggestions.controller.js';
import { SuggestionsRepository } from './suggestions.repository.js';
import { SuggestionsService } from './suggestions.service.js';

/** Suggestions while a user types a search. */
@Module({
  imports: [FilesModule],
  controllers: [SuggestionsController],
  providers: [SuggestionsRepository, SuggestionsService],
})
export class SuggestionsModule {}
