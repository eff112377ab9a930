import { Module } from '@nestjs/common';
import { ContentSweeper } from './content-sweeper.js';
import { ContentsReader } from './contents.reader.js';
import { ContentsRepository } from './contents.repository.js';
import { DocumentContents } from './document-contents.js';
import { DocumentTextController } from './document-text.controller.js';
import { DocumentTextService } from './document-text.service.js';
import { DocumentTextsRepository } from './document-texts.repository.js';
import { DocumentVersionsRepository } from './document-versions.repository.js';
import { Downloads } from './downloads.js';
import { TextFolding } from './text-folding.js';
import { TextFoldingsRepository } from './text-foldings.repository.js';

@Module({
  controllers: [DocumentTextController],
  providers: [
    ContentSweeper,
    ContentsReader,
    ContentsRepository,
    DocumentContents,
    DocumentTextService,
    DocumentTextsRepository,
    DocumentVersionsRepository,
    Downloads,
    TextFolding,
    TextFoldingsRepository,
  ],
  exports: [
    ContentsReader,
    ContentsRepository,
    DocumentContents,
    DocumentTextsRepository,
    DocumentVersionsRepository,
    Downloads,
  ],
})
export class DocumentContentsModule {}
