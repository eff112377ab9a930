import { Module } from '@nestjs/common';
import { FileTypesModule } from '../file-types/file-types.module.js';
import { NumberingModule } from '../numbering/numbering.module.js';
import { FileSuggestionsRepository } from './file-suggestions.repository.js';
import { FilesController } from './files.controller.js';
import { FilesReader } from './files.reader.js';
import { FilesRepository } from './files.repository.js';
import { FilesService } from './files.service.js';

@Module({
  imports: [FileTypesModule, NumberingModule],
  controllers: [FilesController],
  providers: [FilesRepository, FileSuggestionsRepository, FilesService, FilesReader],
  exports: [FilesReader],
})
export class FilesModule {}
