import { Module } from '@nestjs/common';
import { DocumentTypesModule } from '../../document-types/document-types.module.js';
import { DocumentContentsModule } from '../contents/document-contents.module.js';
import { DocumentValuesModule } from '../values/document-values.module.js';
import { ValueIndexing } from './value-indexing.js';

@Module({
  imports: [DocumentContentsModule, DocumentTypesModule, DocumentValuesModule],
  providers: [ValueIndexing],
})
export class DocumentIndexingModule {}
