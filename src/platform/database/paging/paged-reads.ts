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
  /** Default: the rows are items. */
  readonly present?: ((row: R) => T) | undefined;
  /** Whether a replica may answer: for lists that cost more than finding out whether the replica is up to date. */
  readonly fromReplica?: boolean;
}

/** A repository that lists its rows in an order of its own. */
interface SortedRows<R> {
  listPage(
    tx: TenantTransaction,
    after: Position | null,
    limit: number,
  ): Promise<readonly (R & Partial<BoundedRow>)[]>;
  positionOf(row: R): Position;
}

@Injectable()
export class PagedReads {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly cursors: CursorCodec,
  ) {}

  /**
   * @param query Query parameters, already validated.
   * @returns rows, if there is no `present`: `T` is not inferred from what the caller needs
   * @throws Problem 400 for a cursor of another list, 404 when `rows` returns null.
   */
  page<R, T = R>(
    caller: CursorOwner & TenantContext,
    list: PagedList,
    query: { readonly limit?: number; readonly cursor?: string },
    { rows, position, present = (row) => row as unknown as T, fromReplica }: PagedRead<R, T>,
  ): Promise<Page<NoInfer<T>>> {
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

  /** A page of all rows of a repository, in its order. */
  list<R, T = R>(
    caller: CursorOwner & TenantContext,
    operation: string,
    query: { readonly limit?: number; readonly cursor?: string },
    repository: SortedRows<R>,
    present?: (row: R) => T,
  ): Promise<Page<NoInfer<T>>> {
    return this.page(caller, { operation }, query, {
      rows: (tx, after, limit) => repository.listPage(tx, after, limit),
      position: (row) => repository.positionOf(row),
      present,
    });
  }
}
