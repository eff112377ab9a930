import { Module } from '@nestjs/common';
import { DocumentTypesModule } from '../document-types/document-types.module.js';
import { FilesModule } from '../files/files.module.js';
import { TagsModule } from '../tags/tags.module.js';
import { DocumentFiltersReader } from './document-filters.reader.js';
import { MetadataConditionResolver } from './metadata-condition-resolver.js';

@Module({
  imports: [DocumentTypesModule, FilesModule, TagsModule],
  providers: [DocumentFiltersReader, MetadataConditionResolver],
  exports: [DocumentFiltersReader],
})
export class DocumentFiltersModule {}
