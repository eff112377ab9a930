import { Module } from '@nestjs/common';
import { DocumentChangesModule } from '../changes/document-changes.module.js';
import { BulkChangeController } from './bulk-change.controller.js';
import { BulkChangeService } from './bulk-change.service.js';

@Module({
  imports: [DocumentChangesModule],
  controllers: [BulkChangeController],
  providers: [BulkChangeService],
})
export class DocumentBulkModule {}
