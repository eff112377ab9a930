import { Module } from '@nestjs/common';
import { RetentionController } from './retention.controller.js';
import { RetentionRepository } from './retention.repository.js';
import { RetentionService } from './retention.service.js';

@Module({
  controllers: [RetentionController],
  providers: [RetentionRepository, RetentionService],
})
export class RetentionModule {}
