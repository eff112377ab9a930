import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../database/tenant-row.js';
import { type SentMailMode } from '../../common/vocabulary/mail-modes.js';

/** A notification for which mail is to be sent. The row is deleted when the mail was sent or cannot be sent. */
@Entity('notification_mails')
export class NotificationMailEntity extends TenantRow {
  @PrimaryColumn({ type: 'uuid', name: 'notification_id' })
  notificationId!: string;

  @Column({ type: 'uuid', name: 'user_id' })
  userId!: string;

  @Column('text')
  mode!: SentMailMode;

  /** The time of the notification. */
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  /** Set before the mail is sent. If the process ends meanwhile, the mail is not sent again. */
  @Column({ type: 'timestamptz', name: 'claimed_at', precision: 3, nullable: true })
  claimedAt!: string | null;
}
