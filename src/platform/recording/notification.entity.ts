import { Column, Entity } from 'typeorm';
import { IdentifiedRow } from '../database/tenant-row.js';
import { type NotificationType } from '../../common/messages/notifications.js';

@Entity('notifications')
export class NotificationEntity extends IdentifiedRow {
  @Column({ type: 'uuid', name: 'user_id' })
  userId!: string;

  @Column('text')
  type!: NotificationType;

  @Column('jsonb')
  parameters!: Record<string, string>;

  /** Document and file of the notification. It is hidden when the user can no longer see them. */
  @Column({ type: 'uuid', name: 'document_id', nullable: true })
  documentId!: string | null;

  @Column({ type: 'uuid', name: 'file_id', nullable: true })
  fileId!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  @Column({ type: 'timestamptz', name: 'read_at', precision: 3, nullable: true })
  readAt!: string | null;
}
