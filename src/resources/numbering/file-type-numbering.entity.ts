import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../platform/database/tenant-row.js';

/** The pattern of the numbers of a file type. A file type without a row has none. */
@Entity('file_type_numberings')
export class FileTypeNumberingEntity extends TenantRow {
  @PrimaryColumn({ type: 'uuid', name: 'file_type_id' })
  fileTypeId!: string;

  @Column('text')
  pattern!: string;
}
