import { NIL_ID } from '../../../common/identifier.js';
import { type UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { serviceContext } from '../../../platform/tenancy/access/access.directory.js';
import { type ContentText } from '../document.entity.js';
import { ProcessingRepository } from './processing.repository.js';

const BATCH = 500;

/** For the operator of the service: all contents of a tenant, without audit entries. */
export class TenantReprocessing {
  private readonly contents = new ProcessingRepository();

  constructor(private readonly uow: UnitOfWork) {}

  /**
   * Has the contents read again whose text is in one of these states, after the other jobs of the tenant.
   *
   * @returns the number of documents
   */
  async reprocessAll(tenantId: string, texts: readonly ContentText[]): Promise<number> {
    const context = serviceContext(tenantId);
    let count = 0;
    for (let after = NIL_ID; ;) {
      const ids = await this.uow.read(context, (tx) => this.contents.listIds(tx, texts, after, BATCH));
      const last = ids.at(-1);
      if (last === undefined) return count;
      after = last;
      count += await this.uow.write(context, async (tx) => {
        const documents = await this.contents.markPending(tx, ids);
        for (const document of documents) tx.enqueue('ProcessDocument', document, null, true);
        return documents.length;
      });
    }
  }
}
