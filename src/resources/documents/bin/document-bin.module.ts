import { Module } from '@nestjs/common';
import { DocumentContentsModule } from '../contents/document-contents.module.js';
import { BinPurge } from './bin-purge.js';
import { BinRepository } from './bin.repository.js';

@Module({
  imports: [DocumentContentsModule],
  providers: [BinPurge, BinRepository],
})
export class DocumentBinModule {}
