import { Module } from '@nestjs/common';
import { DocumentTypesController } from './document-types.controller.js';
import { DocumentTypesReader } from './document-types.reader.js';
import { DocumentTypesRepository } from './document-types.repository.js';
import { DocumentTypesService } from './document-types.service.js';

@Module({
  controllers: [DocumentTypesController],
  providers: [DocumentTypesReader, DocumentTypesRepository, DocumentTypesService],
  exports: [DocumentTypesReader],
})
export class DocumentTypesModule {}
