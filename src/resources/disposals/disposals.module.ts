import { Module } from '@nestjs/common';
import { DocumentContentsModule } from '../documents/contents/document-contents.module.js';
import { ExportsModule } from '../exports/exports.module.js';
import { FilesModule } from '../files/files.module.js';
import { CertificatesRepository } from './certificates.repository.js';
import { DisposalExecution } from './disposal-execution.js';
import { DisposalExecutionRepository } from './disposal-execution.repository.js';
import { DisposalFilesRepository } from './disposal-files.repository.js';
import { DisposalsController } from './disposals.controller.js';
import { DisposalsRepository } from './disposals.repository.js';
import { DisposalsService } from './disposals.service.js';

@Module({
  imports: [DocumentContentsModule, ExportsModule, FilesModule],
  controllers: [DisposalsController],
  providers: [
    CertificatesRepository,
    DisposalExecution,
    DisposalExecutionRepository,
    DisposalFilesRepository,
    DisposalsRepository,
    DisposalsService,
  ],
})
export class DisposalsModule {}
