import { Entity, PrimaryColumn } from 'typeorm';

/** A document whose words are not in the lexicon yet; written in the transaction of the change. */
@Entity('word_queue')
export class WordQueueEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'document_id' })
  documentId!: string;
}
