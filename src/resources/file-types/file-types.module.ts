import { Module } from '@nestjs/common';
import { FileTypesController } from './file-types.controller.js';
import { FileTypesRepository } from './file-types.repository.js';
import { FileTypesService } from './file-types.service.js';

@Module({
  controllers: [FileTypesController],
  providers: [FileTypesRepository, FileTypesService],
})
export class FileTypesModule {}
