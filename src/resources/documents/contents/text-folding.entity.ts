import { Column, Entity } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row.js';

/** A tenant with texts whose words are to be folded again, and how far that is; see `TextFolding`. */
@Entity('text_foldings')
export class TextFoldingEntity extends TenantRow {
  /** The parts of texts from this document and part on are done, in descending order. The document may be purged. */
  @Column({ type: 'uuid', name: 'before_id' })
  beforeId!: string;

  @Column('integer')
  part!: number;
}
