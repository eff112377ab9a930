import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A file or a document in the package of an export. */
@Entity('export_items')
export class ExportItemEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'export_id' })
  exportId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'item_id' })
  itemId!: string;

  @Column({ type: 'boolean', name: 'is_file' })
  isFile!: boolean;
}
