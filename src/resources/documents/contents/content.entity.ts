import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Bytes that the content store keeps for a tenant, however many documents have them. Its row is what uploads and
 * the sweep lock, so that none links what the other removes.
 */
@Entity('contents')
export class ContentEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  /** Lower-case hexadecimal. */
  @PrimaryColumn('text')
  sha256!: string;

  /** In bytes. */
  @Column('bigint')
  size!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  /** When a document was last given the content, or last lost it; the sweep leaves it alone for a day after that. */
  @Column({ type: 'timestamptz', name: 'linked_at', precision: 3 })
  linkedAt!: string;
}
