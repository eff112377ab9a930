import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { serviceContext } from '../../platform/tenancy/access/access.directory.js';
import { NotificationPreferencesRepository } from './notification-preferences.repository.js';
import { type Subscription } from './unsubscribe-token.js';

@Injectable()
export class UnsubscribeService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly preferences: NotificationPreferencesRepository,
  ) {}

  /** Null if the membership has ended, or began after the token was issued. */
  tenantName({ tenantId, userId, issuedAt }: Subscription): Promise<string | null> {
    return this.uow.read(serviceContext(tenantId), (tx) => this.preferences.tenantName(tx, userId, issuedAt));
  }

  /** Turns all mail of the member in the tenant off. Returns as {@link tenantName}. */
  unsubscribe({ tenantId, userId, issuedAt }: Subscription): Promise<string | null> {
    return this.uow.write(serviceContext(tenantId), async (tx) => {
      const name = await this.preferences.tenantName(tx, userId, issuedAt);
      if (name !== null) await this.preferences.turnOff(tx, userId);
      return name;
    });
  }
}
