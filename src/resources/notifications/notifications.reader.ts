import { Injectable } from '@nestjs/common';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { type NotificationResponse } from './notifications.dto.js';
import { type NotificationSelection, NotificationsRepository } from './notifications.repository.js';

/** The notifications that a member can see now, by the same condition as in the member's list. */
@Injectable()
export class NotificationsReader {
  constructor(private readonly notifications: NotificationsRepository) {}

  findVisible(
    tx: TenantTransaction,
    member: Caller,
    selection: NotificationSelection,
  ): Promise<{ rows: NotificationResponse[]; total: number }> {
    return this.notifications.findVisible(tx, member, selection);
  }
}
