import { Module } from '@nestjs/common';
import { AccessGrantsController } from './access-grants.controller.js';
import { AccessGrantsRepository } from './access-grants.repository.js';
import { AccessGrantsService } from './access-grants.service.js';

@Module({
  controllers: [AccessGrantsController],
  providers: [AccessGrantsRepository, AccessGrantsService],
})
export class AccessGrantsModule {}
