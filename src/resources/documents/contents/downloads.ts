import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { type Download, hasBegun } from './downloads.repository.js';

/** Records in the audit log who has read a content. */
@Injectable()
export class Downloads {
  constructor(private readonly uow: UnitOfWork) {}

  /**
   * Call it before the first byte is sent, so that each download has an audit entry; HEAD and 304 send no bytes.
   *
   * @param isPart Whether only a part is sent. It counts as part of a download that the same user started within the
   *   last hour, and is only recorded if there is none.
   */
  async record(caller: Caller, download: Download, isPart: boolean): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      if (isPart && (await hasBegun(tx, download, caller.user.id))) return;
      tx.record(download);
    });
  }
}
