import { Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../platform/database/tenant-row.js';

/** A content of destroyed documents whose bytes are still to be removed, unless another version has them. */
@Entity('disposal_contents')
export class DisposalContentEntity extends TenantRow {
  @PrimaryColumn({ type: 'uuid', name: 'disposal_id' })
  disposalId!: string;

  @PrimaryColumn('text')
  sha256!: string;
}
