import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents.module.js';
import { ReprocessingController } from './reprocessing.controller.js';
import { ReprocessingRepository } from './reprocessing.repository.js';
import { ReprocessingService } from './reprocessing.service.js';

/** Reads the contents of documents again, for example after the service has learned a format. */
@Module({
  imports: [DocumentsModule],
  controllers: [ReprocessingController],
  providers: [ReprocessingRepository, ReprocessingService],
})
export class ReprocessingModule {}
