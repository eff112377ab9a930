import { Module } from '@nestjs/common';
import { NumberingController } from './numbering.controller.js';
import { NumberingReader } from './numbering.reader.js';
import { NumberingRepository } from './numbering.repository.js';
import { NumberingService } from './numbering.service.js';

@Module({
  controllers: [NumberingController],
  providers: [NumberingReader, NumberingRepository, NumberingService],
  exports: [NumberingReader],
})
export class NumberingModule {}
