import { Module } from '@nestjs/common';
import { DocumentChangesModule } from '../changes/document-changes.module.js';
import { DocumentContentsModule } from '../contents/document-contents.module.js';
import { BinPurge } from './bin-purge.js';
import { BinRepository } from './bin.repository.js';

@Module({
  imports: [DocumentChangesModule, DocumentContentsModule],
  providers: [BinPurge, BinRepository],
})
export class DocumentBinModule {}
