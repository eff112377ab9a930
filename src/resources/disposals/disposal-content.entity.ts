import { Entity, PrimaryColumn } from 'typeorm';

/** A content of destroyed documents whose bytes are still to be removed, unless another version has them. */
@Entity('disposal_contents')
export class DisposalContentEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'disposal_id' })
  disposalId!: string;

  @PrimaryColumn('text')
  sha256!: string;
}
