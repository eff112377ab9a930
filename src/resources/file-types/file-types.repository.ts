import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { TenantRepository } from '../../platform/database/transactions/tenant-repository.js';
import { FileTypeEntity } from './file-type.entity.js';

@Injectable()
export class FileTypesRepository extends TenantRepository<FileTypeEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, FileTypeEntity, { sortedBy: 'sortKey' });
  }
}
