import { Module } from '@nestjs/common';
import { MeController } from './me.controller.js';
import { MeReader } from './me.reader.js';

@Module({
  controllers: [MeController],
  providers: [MeReader],
  exports: [MeReader],
})
export class MeModule {}
