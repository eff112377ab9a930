import { Injectable } from '@nestjs/common';
import { type Page, limitOf } from '../../common/page.js';
import { notFound } from '../../common/problem.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { CursorCodec } from '../../platform/database/paging/cursor-codec.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import {
  type ListNotificationsQuery,
  type NotificationResponse,
  presentNotification,
} from './notifications.dto.js';
import { NotificationsRepository } from './notifications.repository.js';

/** What somebody has read is their own business: reading leaves no entry in the audit log. */
@Injectable()
export class NotificationsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly notifications: NotificationsRepository,
    private readonly cursors: CursorCodec,
  ) {}

  list(caller: Caller, query: ListNotificationsQuery): Promise<Page<NotificationResponse>> {
    const unreadOnly = query.unreadOnly === 'true';
    const list = { operation: 'ListNotifications', filters: { unreadOnly } };
    const limit = limitOf(query);
    const after = this.cursors.read(caller, list, query.cursor);
    return this.uow.read(caller, async (tx) => {
      const rows = await this.notifications.list(tx, caller, unreadOnly, after, limit);
      return this.cursors.page(
        caller,
        list,
        rows,
        limit,
        (row) => [row.createdAt, row.id],
        presentNotification,
      );
    });
  }

  /** It stays read since the first time. */
  async markRead(caller: Caller, id: string): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const notification = await this.notifications.lockShown(tx, caller, id);
      if (!notification) throw notFound();
      if (notification.readAt === null) await this.notifications.markRead(tx, id);
    });
  }

  async markAllRead(caller: Caller): Promise<void> {
    await this.uow.write(caller, (tx) => this.notifications.markAllRead(tx, caller));
  }
}
