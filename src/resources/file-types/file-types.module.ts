import { Module } from '@nestjs/common';
import { FileTypesController } from './file-types.controller.js';
import { FileTypesReader } from './file-types.reader.js';
import { FileTypesRepository } from './file-types.repository.js';
import { FileTypesService } from './file-types.service.js';

@Module({
  controllers: [FileTypesController],
  providers: [FileTypesReader, FileTypesRepository, FileTypesService],
  exports: [FileTypesReader],
})
export class FileTypesModule {}
