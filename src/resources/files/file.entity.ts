import { Column, Entity } from 'typeorm';
import { IdentifiedRow } from '../../platform/database/tenant-row.js';

export const FILE_STATUSES = ['Open', 'Closed'] as const;
export type FileStatus = (typeof FILE_STATUSES)[number];

@Entity('files')
export class FileEntity extends IdentifiedRow {
  @Column({ type: 'uuid', name: 'file_type_id' })
  fileTypeId!: string;

  /** File number (Aktenzeichen); text. */
  @Column('text')
  number!: string;

  /** Case-folded number; unique in the tenant. */
  @Column({ type: 'text', name: 'number_key' })
  numberKey!: string;

  @Column('text')
  name!: string;

  @Column('text')
  status!: FileStatus;

  /** Folded number and name, for substring searches; see `fileSearchKeys` in file-search.ts. */
  @Column({ type: 'text', name: 'search_text' })
  searchText!: string;

  /** Prefixes of one and two characters, and sequences of six digits; see `fileSearchKeys`, too. */
  @Column({ type: 'text', array: true, name: 'search_starts' })
  searchStarts!: string[];

  @Column({ type: 'uuid', name: 'created_by' })
  createdBy!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt!: string;

  @Column({ type: 'timestamptz', name: 'closed_at', precision: 3, nullable: true })
  closedAt!: string | null;

  /** `YYYY-MM-DD`: the file is kept at least until this day, whatever the rule of its type. */
  @Column({ type: 'date', name: 'keep_until', nullable: true })
  keepUntil!: string | null;
}
