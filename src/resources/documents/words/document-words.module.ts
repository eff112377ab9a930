import { Module } from '@nestjs/common';
import { LexiconReader } from './lexicon.reader.js';
import { LexiconRepository } from './lexicon.repository.js';
import { LexiconUpdates } from './lexicon-updates.js';

/** The words of documents, for compounds and suggestions. */
@Module({
  providers: [LexiconReader, LexiconRepository, LexiconUpdates],
  exports: [LexiconReader],
})
export class DocumentWordsModule {}
