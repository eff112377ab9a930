import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../platform/database/tenant-row.js';

/** A file or a document in the package of an export. */
@Entity('export_items')
export class ExportItemEntity extends TenantRow {
  @PrimaryColumn({ type: 'uuid', name: 'export_id' })
  exportId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'item_id' })
  itemId!: string;

  @Column({ type: 'boolean', name: 'is_file' })
  isFile!: boolean;
}
