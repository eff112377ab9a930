import { Module } from '@nestjs/common';
import { DocumentTypesModule } from '../document-types/document-types.module.js';
import { MetadataConditionsReader } from './metadata-conditions.reader.js';

@Module({
  imports: [DocumentTypesModule],
  providers: [MetadataConditionsReader],
  exports: [MetadataConditionsReader],
})
export class MetadataConditionsModule {}
