import { Module } from '@nestjs/common';
import { AuditLogModule } from '../audit-log/audit-log.module.js';
import { DocumentTypesModule } from '../document-types/document-types.module.js';
import { DocumentContentsModule } from '../documents/contents/document-contents.module.js';
import { DocumentsModule } from '../documents/documents.module.js';
import { DocumentSearchModule } from '../documents/search/document-search.module.js';
import { FileTypesModule } from '../file-types/file-types.module.js';
import { FilesModule } from '../files/files.module.js';
import { TagsModule } from '../tags/tags.module.js';
import { ExportEnding } from './export-ending.js';
import { ExportsController } from './exports.controller.js';
import { ExportsReader } from './exports.reader.js';
import { ExportsRepository } from './exports.repository.js';
import { ExportsService } from './exports.service.js';
import { ExportPacker } from './packing/export-packer.js';
import { PackageSource } from './packing/package-source.js';

@Module({
  imports: [
    AuditLogModule,
    DocumentContentsModule,
    DocumentTypesModule,
    DocumentSearchModule,
    DocumentsModule,
    FileTypesModule,
    FilesModule,
    TagsModule,
  ],
  controllers: [ExportsController],
  providers: [ExportEnding, ExportPacker, ExportsReader, ExportsRepository, ExportsService, PackageSource],
  exports: [ExportsReader],
})
export class ExportsModule {}
