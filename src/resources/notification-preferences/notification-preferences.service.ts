import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { type WriteTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { serviceContext } from '../../platform/tenancy/access/access.directory.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import {
  type NotificationPreferencesResponse,
  type UpdateNotificationPreferencesBody,
  presentPreferences,
} from './notification-preferences.dto.js';
import {
  DEFAULT_PREFERENCES,
  type NotificationPreferences,
  NotificationPreferencesRepository,
} from './notification-preferences.repository.js';
import { type Subscription } from './unsubscribe-token.js';

/** Writes no audit entries, because the preferences concern only the member. */
@Injectable()
export class NotificationPreferencesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly preferences: NotificationPreferencesRepository,
  ) {}

  get(caller: Caller): Promise<NotificationPreferencesResponse> {
    return this.uow.read(caller, async (tx) =>
      presentPreferences((await this.preferences.find(tx, caller.user.id)) ?? DEFAULT_PREFERENCES),
    );
  }

  update(caller: Caller, body: UpdateNotificationPreferencesBody): Promise<NotificationPreferencesResponse> {
    const wanted = preferencesOf(body);
    return this.uow.write(caller, async (tx) => {
      const stored = await this.lock(tx, caller.user.id, wanted);
      await tx.expectRepresentation(() => presentPreferences(stored));
      if (!areEqual(stored, wanted)) await this.preferences.update(tx, caller.user.id, wanted);
      return presentPreferences(wanted);
    });
  }

  /** For a link in a mail. Null if the membership has ended, or began after the token was issued. */
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

  /** Creates the row of the member only if there is something to store. */
  private async lock(
    tx: WriteTransaction,
    userId: string,
    wanted: NotificationPreferences,
  ): Promise<NotificationPreferences> {
    const stored = await this.preferences.lockOrNull(tx, userId);
    if (stored || areEqual(wanted, DEFAULT_PREFERENCES)) return stored ?? DEFAULT_PREFERENCES;
    await this.preferences.ensure(tx, userId);
    return (await this.preferences.lockOrNull(tx, userId)) ?? DEFAULT_PREFERENCES;
  }
}

function areEqual(one: NotificationPreferences, other: NotificationPreferences): boolean {
  return one.language === other.language && isDeepStrictEqual(one.mail, other.mail);
}

/** Without types that are off. */
function preferencesOf({ language, mail }: UpdateNotificationPreferencesBody): NotificationPreferences {
  const modes = Object.entries(mail).filter(([, mode]) => mode !== 'off');
  return { language, mail: Object.fromEntries(modes) };
}
