import { Module } from '@nestjs/common';
import { DocumentTypesModule } from '../../document-types/document-types.module.js';
import { FilesModule } from '../../files/files.module.js';
import { DocumentValues } from './document-values.js';
import { DocumentValuesRepository } from './document-values.repository.js';
import { ReferenceTargetsRepository } from './reference-targets.repository.js';

@Module({
  imports: [DocumentTypesModule, FilesModule],
  providers: [DocumentValues, DocumentValuesRepository, ReferenceTargetsRepository],
  exports: [DocumentValues, DocumentValuesRepository],
})
export class DocumentValuesModule {}
