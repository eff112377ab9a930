import { Injectable } from '@nestjs/common';
import { type ReceivedContent } from '../../../platform/content/content-store.js';
import { type WriteTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { type Caller } from '../../../platform/tenancy/access/caller.js';
import { ContentSweeper } from './content-sweeper.js';
import { ContentsRepository } from './contents.repository.js';
import { Downloads } from './downloads.js';
import { type Download } from './downloads.repository.js';
import { forgetWords } from './word-changes.repository.js';

/** Contents that belong to no document, or to documents that are destroyed. */
@Injectable()
export class ContentsReader {
  constructor(
    private readonly contents: ContentsRepository,
    private readonly sweeper: ContentSweeper,
    private readonly downloads: Downloads,
  ) {}

  /** Call it in the transaction that adds the reference. The sweep then keeps the content. */
  claim(tx: WriteTransaction, { sha256, size }: ReceivedContent): Promise<void> {
    return this.contents.claim(tx, sha256, size);
  }

  /** Call it after the commit that has removed the reference. */
  release(tenantId: string, sha256: string): Promise<void> {
    return this.sweeper.removeNow(tenantId, sha256);
  }

  /** Call it before the documents (locked, with their files) are deleted. */
  async forget(tx: WriteTransaction, documentIds: readonly string[]): Promise<void> {
    if (documentIds.length === 0) return;
    await forgetWords(tx, documentIds);
    await this.contents.release(tx, documentIds);
  }

  /** See {@link Downloads.record}. */
  recordDownload(caller: Caller, download: Download, isPart: boolean): Promise<void> {
    return this.downloads.record(caller, download, isPart);
  }
}
