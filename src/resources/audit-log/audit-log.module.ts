import { Module } from '@nestjs/common';
import { AuditLogController } from './audit-log.controller.js';
import { AuditLogReader } from './audit-log.reader.js';
import { AuditLogRepository } from './audit-log.repository.js';
import { AuditLogService } from './audit-log.service.js';

@Module({
  controllers: [AuditLogController],
  providers: [AuditLogReader, AuditLogRepository, AuditLogService],
  exports: [AuditLogReader],
})
export class AuditLogModule {}
