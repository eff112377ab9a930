import { Injectable } from '@nestjs/common';
import { type Page } from '../../common/page.js';
import { orNotFound } from '../../common/problem.js';
import { PagedReads } from '../../platform/database/paging/paged-reads.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { type ListNotificationsQuery, type NotificationResponse } from './notifications.dto.js';
import { NotificationsRepository } from './notifications.repository.js';

/** Writes no audit entries, because reading notifications is private to the user. */
@Injectable()
export class NotificationsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly notifications: NotificationsRepository,
    private readonly pages: PagedReads,
  ) {}

  list(caller: Caller, query: ListNotificationsQuery): Promise<Page<NotificationResponse>> {
    const unreadOnly = query.unreadOnly === true;
    return this.pages.page(caller, { operation: 'ListNotifications', filters: { unreadOnly } }, query, {
      rows: (tx, after, limit) => this.notifications.list(tx, caller, unreadOnly, after, limit),
      position: (row) => [row.createdAt, row.id],
    });
  }

  /** Keeps the time of the first reading. */
  async markRead(caller: Caller, id: string): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const notification = orNotFound(await this.notifications.lockVisibleOrNull(tx, caller, id));
      if (notification.readAt === null) await this.notifications.markRead(tx, id);
    });
  }

  async markAllRead(caller: Caller): Promise<void> {
    await this.uow.write(caller, (tx) => this.notifications.markAllRead(tx, caller));
  }
}
