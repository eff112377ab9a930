import { Injectable } from '@nestjs/common';
import { type AuditRecord } from '../../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { DownloadsRepository } from './downloads.repository.js';

type Download = Pick<AuditRecord<'DocumentDownloaded'>, 'subjectId' | 'summary'> & {
  readonly contentVersion: number;
};

/** Records in the audit log who has read a content. */
@Injectable()
export class Downloads {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly downloads: DownloadsRepository,
  ) {}

  /**
   * Call it before the first byte is sent, so that each download has an audit entry; HEAD and 304 send no bytes.
   *
   * @param isPart Whether only a part is sent. It counts as part of a download that the same user started within the
   *   last hour, and is only recorded if there is none.
   */
  async record(caller: Caller, download: Download, isPart: boolean): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const { subjectId, contentVersion } = download;
      if (isPart && (await this.downloads.hasBegun(tx, subjectId, contentVersion, caller.user.id))) return;
      tx.record({ action: 'DocumentDownloaded', ...download });
    });
  }
}
