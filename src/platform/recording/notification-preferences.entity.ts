import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../database/tenant-row.js';
import { type Language } from '../../common/messages/languages.js';
import { type NotificationType } from '../../common/messages/notifications.js';
import { type SentMailMode } from '../../common/vocabulary/mail-modes.js';

/** When a member gets mail about notifications. A member without a row gets none. */
@Entity('notification_preferences')
export class NotificationPreferencesEntity extends TenantRow {
  @PrimaryColumn({ type: 'uuid', name: 'user_id' })
  userId!: string;

  @Column('text')
  language!: Language;

  /** Without types that are off. */
  @Column('jsonb')
  mail!: Partial<Record<NotificationType, SentMailMode>>;

  @Column({ type: 'timestamptz', name: 'last_mail_at', precision: 3, nullable: true })
  lastMailAt!: string | null;

  @Column({ type: 'timestamptz', name: 'last_digest_at', precision: 3, nullable: true })
  lastDigestAt!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: string;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt!: string;
}
