import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row.js';

/** A word of the lexicon (docs/adr/0044): in key form, letters only. */
@Entity('document_words')
export class DocumentWordEntity extends TenantRow {
  @PrimaryColumn('text')
  word!: string;

  /**
   * A document that has the word and is neither confidential nor in the bin. Null: none is known, and searches ignore
   * the word.
   */
  @Column({ type: 'uuid', name: 'document_id', nullable: true })
  documentId!: string | null;
}
