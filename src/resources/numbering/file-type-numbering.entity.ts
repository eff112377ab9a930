import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The pattern of the numbers of a file type. A file type without a row has none. */
@Entity('file_type_numberings')
export class FileTypeNumberingEntity {
  @PrimaryColumn({ type: 'uuid', name: 'tenant_id' })
  tenantId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'file_type_id' })
  fileTypeId!: string;

  @Column('text')
  pattern!: string;
}
