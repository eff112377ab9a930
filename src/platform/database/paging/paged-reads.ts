import { Injectable } from '@nestjs/common';
import { type Page, limitOf } from '../../../common/page.js';
import { notFound } from '../../../common/problem.js';
import { type TenantContext } from '../transactions/tenant-context.js';
import { type TenantTransaction } from '../transactions/tenant-transaction.js';
import { UnitOfWork } from '../transactions/unit-of-work.js';
import { type BoundedRow } from './bounded-page.js';
import { CursorCodec, type CursorOwner, type PagedList, type Position } from './cursor-codec.js';

interface PagedRead<R, T> {
  /**
   * Reads the rows after a position: one more than the limit when there are more. Returns null when the caller cannot
   * see the resource that the list belongs to.
   */
  readonly rows: (
    tx: TenantTransaction,
    after: Position | null,
    limit: number,
  ) => Promise<readonly (R & Partial<BoundedRow>)[] | null>;
  readonly position: (row: R) => Position;
  readonly present: (row: R) => T;
  /** Whether a replica may answer: for lists that cost more than finding out whether the replica is up to date. */
  readonly fromReplica?: boolean;
}

@Injectable()
export class PagedReads {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly cursors: CursorCodec,
  ) {}

  /**
   * @param query Query parameters, already validated.
   * @throws Problem 400 for a cursor of another list, 404 when `rows` returns null.
   */
  page<R, T>(
    caller: CursorOwner & TenantContext,
    list: PagedList,
    query: { readonly limit?: number; readonly cursor?: string },
    { rows, position, present, fromReplica }: PagedRead<R, T>,
  ): Promise<Page<T>> {
    const limit = limitOf(query);
    const after = this.cursors.read(caller, list, query.cursor);
    return this.uow.read(
      caller,
      async (tx) => {
        const found = await rows(tx, after, limit);
        if (!found) throw notFound();
        return this.cursors.page(caller, list, found, limit, position, present);
      },
      { fromReplica },
    );
  }
}
