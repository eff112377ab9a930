import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A word of the lexicon (docs/adr/0044): in key form, letters only. */
@Entity('document_words')
export class DocumentWordEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn('text')
  word!: string;

  /**
   * A document that has the word and is neither confidential nor in the bin. Null: none is known, and searches ignore
   * the word.
   */
  @Column({ type: 'uuid', name: 'document_id', nullable: true })
  documentId!: string | null;
}
