import { Module } from '@nestjs/common';
import { TagsController } from './tags.controller.js';
import { TagsReader } from './tags.reader.js';
import { TagsRepository } from './tags.repository.js';
import { TagsService } from './tags.service.js';

@Module({
  controllers: [TagsController],
  providers: [TagsReader, TagsRepository, TagsService],
  exports: [TagsReader],
})
export class TagsModule {}
