import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A part of what a document is found by when words are looked for (docs/adr/0022). */
@Entity('document_texts')
export class DocumentTextEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'document_id' })
  documentId!: string;

  /** 0 is title and name of the content, the others are pieces of its text, which overlap a little. */
  @PrimaryColumn('integer')
  part!: number;

  /** The document's, so that what is found can be put in the order of lists. */
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  /** What excerpts are taken from. */
  @Column('text')
  text!: string;

  /** Its words at their positions: as they are with weight A, their German and English stems with D. */
  @Column('tsvector')
  vector!: string;
}
