import { Module } from '@nestjs/common';
import { Checkpoints } from './checkpoints.js';
import { DailyCheckpoint } from './daily-checkpoint.js';
import { EvidenceController } from './evidence.controller.js';
import { EvidenceRepository } from './evidence.repository.js';
import { EvidenceService } from './evidence.service.js';
import { AuditExportService } from './export.service.js';
import { AuditSigner } from './notes/audit-signer.js';
import { AuditTreeRepository } from './tree/audit-tree.repository.js';
import { TreeBuilder } from './tree/tree-builder.js';

@Module({
  controllers: [EvidenceController],
  providers: [
    AuditTreeRepository,
    TreeBuilder,
    EvidenceRepository,
    EvidenceService,
    AuditExportService,
    AuditSigner,
    Checkpoints,
    DailyCheckpoint,
  ],
})
export class EvidenceModule {}
