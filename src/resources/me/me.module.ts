import { Module } from '@nestjs/common';
import { MeController } from './me.controller.js';
import { MeReader } from './me.reader.js';
import { MeService } from './me.service.js';

@Module({
  controllers: [MeController],
  providers: [MeReader, MeService],
  exports: [MeReader],
})
export class MeModule {}
