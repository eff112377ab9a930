import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row.js';

/** A document whose words are not in the lexicon yet; written in the transaction of the change. */
@Entity('word_queue')
export class WordQueueEntity extends TenantRow {
  @PrimaryColumn({ type: 'uuid', name: 'document_id' })
  documentId!: string;

  /** Time of the change. The newest one is first. */
  @Column({ type: 'timestamptz', name: 'queued_at', precision: 3 })
  queuedAt!: Date;

  /** First part of the text whose words are not in the lexicon yet; by default the first of all parts. */
  @Column('integer')
  part!: number;
}
