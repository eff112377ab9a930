import { Module } from '@nestjs/common';
import { ContentSweeper } from './content-sweeper.js';
import { ContentsRepository } from './contents.repository.js';
import { DocumentContents } from './document-contents.js';
import { DocumentTextsRepository } from './document-texts.repository.js';
import { DocumentVersionsRepository } from './document-versions.repository.js';

@Module({
  providers: [
    ContentSweeper,
    ContentsRepository,
    DocumentContents,
    DocumentTextsRepository,
    DocumentVersionsRepository,
  ],
  exports: [ContentsRepository, DocumentContents, DocumentTextsRepository, DocumentVersionsRepository],
})
export class DocumentContentsModule {}
