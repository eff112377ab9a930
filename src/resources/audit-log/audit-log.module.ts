import { Module } from '@nestjs/common';
import { AuditLogController } from './audit-log.controller.js';
import { AuditLogReader } from './audit-log.reader.js';
import { AuditLogRepository } from './audit-log.repository.js';
import { Checkpoints } from './evidence/checkpoints.js';
import { DailyCheckpoint } from './evidence/daily-checkpoint.js';
import { EvidenceController } from './evidence/evidence.controller.js';
import { EvidenceRepository } from './evidence/evidence.repository.js';
import { EvidenceService } from './evidence/evidence.service.js';
import { AuditExportService } from './evidence/export.service.js';
import { AuditSigner } from './evidence/notes/audit-signer.js';
import { AuditTreeRepository } from './evidence/tree/audit-tree.repository.js';
import { TreeBuilder } from './evidence/tree/tree-builder.js';

@Module({
  controllers: [AuditLogController, EvidenceController],
  providers: [
    AuditLogReader,
    AuditLogRepository,
    AuditTreeRepository,
    TreeBuilder,
    EvidenceRepository,
    EvidenceService,
    AuditExportService,
    AuditSigner,
    Checkpoints,
    DailyCheckpoint,
  ],
  exports: [AuditLogReader],
})
export class AuditLogModule {}
