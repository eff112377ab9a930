import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row.js';

/** A part of the searchable text of a document (docs/adr/0022). */
@Entity('document_texts')
export class DocumentTextEntity extends TenantRow {
  @PrimaryColumn({ type: 'uuid', name: 'document_id' })
  documentId!: string;

  /** From -20 to -1: values. 0: title and file name. From 1: consecutive parts of the text of the content, which overlap slightly. */
  @PrimaryColumn('integer')
  part!: number;

  /** Creation time of the document, so that search results can be sorted in list order. */
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  /** The text that excerpts are taken from. */
  @Column('text')
  text!: string;

  /**
   * The words of the text with their positions: the words themselves have weight A, their German and English
   * stems weight D.
   */
  @Column('tsvector')
  vector!: string;
}
