import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../platform/database/tenant-row.js';

export const HOLD_ITEM_TYPES = ['File', 'Document'] as const;
export type HoldItemType = (typeof HOLD_ITEM_TYPES)[number];

abstract class HoldItemEntity extends TenantRow {
  @PrimaryColumn({ type: 'uuid', name: 'hold_id' })
  holdId!: string;

  @Column({ type: 'uuid', name: 'added_by' })
  addedBy!: string;

  @Column({ type: 'timestamptz', name: 'added_at', precision: 3 })
  addedAt!: string;
}

@Entity('hold_files')
export class HoldFileEntity extends HoldItemEntity {
  @PrimaryColumn({ type: 'uuid', name: 'file_id' })
  fileId!: string;
}

@Entity('hold_documents')
export class HoldDocumentEntity extends HoldItemEntity {
  @PrimaryColumn({ type: 'uuid', name: 'document_id' })
  documentId!: string;
}
