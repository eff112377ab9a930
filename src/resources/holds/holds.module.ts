import { Module } from '@nestjs/common';
import { HoldItemsRepository } from './hold-items.repository.js';
import { HoldsController } from './holds.controller.js';
import { HoldsRepository } from './holds.repository.js';
import { HoldsService } from './holds.service.js';

@Module({
  controllers: [HoldsController],
  providers: [HoldItemsRepository, HoldsRepository, HoldsService],
})
export class HoldsModule {}
