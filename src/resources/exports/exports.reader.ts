import { Injectable } from '@nestjs/common';
import { type WriteTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { ExportsRepository } from './exports.repository.js';

@Injectable()
export class ExportsReader {
  constructor(private readonly exports: ExportsRepository) {}

  /**
   * Ends the exports whose package has one of these files and documents (locked). Returns the hashes of the packages: their
   * bytes are to be removed after the commit.
   */
  async endWith(tx: WriteTransaction, itemIds: readonly string[]): Promise<string[]> {
    const ended = await this.exports.expireWith(tx, itemIds);
    return ended.flatMap(({ contentSha256 }) => contentSha256 ?? []);
  }
}
