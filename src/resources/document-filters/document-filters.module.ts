import { Module } from '@nestjs/common';
import { DocumentTypesModule } from '../document-types/document-types.module.js';
import { FilesModule } from '../files/files.module.js';
import { TagsModule } from '../tags/tags.module.js';
import { DocumentFiltersReader } from './document-filters.reader.js';

@Module({
  imports: [DocumentTypesModule, FilesModule, TagsModule],
  providers: [DocumentFiltersReader],
  exports: [DocumentFiltersReader],
})
export class DocumentFiltersModule {}
