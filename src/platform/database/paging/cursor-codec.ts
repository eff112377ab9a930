import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Page } from '../../../common/page.js';
import { invalidValue } from '../../../common/problem.js';
import { type BoundedRow } from './bounded-page.js';

/** A list that is paged: its operation and all that decides which rows are on it. */
export interface PagedList {
  readonly operation: string;
  readonly filters?: object;
}

/** Who lists: a caller in a tenant, or a user outside tenants. */
export interface CursorOwner {
  readonly tenantId?: string;
  readonly user: { readonly id: string };
}

/** The sort key of the last row of a page: values that PostgreSQL compares with, as text. */
export type Position = readonly string[];

const MAC_BYTES = 16;

/**
 * Cursors: opaque, URL-safe, signed, and bound to operation, tenant, caller and filters, none of which they carry.
 * The key is the database's, so that every instance takes the cursors of every other.
 */
@Injectable()
export class CursorCodec implements OnModuleInit {
  private key: Buffer = Buffer.alloc(0);

  constructor(private readonly dataSource: DataSource) {}

  async onModuleInit(): Promise<void> {
    const [secret] = await this.dataSource.query<{ value: Buffer }[]>(
      `SELECT value FROM service_secrets WHERE name = 'cursor'`,
    );
    if (!secret) throw new Error('The database has no cursor key');
    this.key = secret.value;
  }

  /** The position that a cursor stands for; null without one. A cursor that is not of this very list is a 400. */
  read(caller: CursorOwner, list: PagedList, cursor: string | undefined): Position | null {
    if (cursor === undefined) return null;
    const bytes = Buffer.from(cursor, 'base64url');
    const payload = bytes.subarray(MAC_BYTES);
    const genuine =
      bytes.length > MAC_BYTES &&
      bytes.toString('base64url') === cursor &&
      timingSafeEqual(bytes.subarray(0, MAC_BYTES), this.mac(caller, list, payload));
    if (!genuine) throw invalidValue('cursor', 'value.cursor');
    return JSON.parse(payload.toString()) as string[];
  }

  /**
   * Makes the page of rows that were read with one row more than the limit; that one only tells that there is a
   * further page. So does the last row of a bounded page, which may end earlier.
   */
  page<R, T>(
    caller: CursorOwner,
    list: PagedList,
    rows: readonly (R & Partial<BoundedRow>)[],
    limit: number,
    position: (row: R) => Position,
    present: (row: R) => T,
  ): Page<T> {
    const shown = rows.length > limit ? rows.slice(0, limit) : rows;
    const last = shown.at(-1);
    const hasMore = rows.length > limit || last?.hasMore === true;
    return {
      items: shown.map(present),
      nextCursor: hasMore && last !== undefined ? this.write(caller, list, position(last)) : null,
    };
  }

  private write(caller: CursorOwner, list: PagedList, position: Position): string {
    const payload = Buffer.from(JSON.stringify(position));
    return Buffer.concat([this.mac(caller, list, payload), payload]).toString('base64url');
  }

  private mac(caller: CursorOwner, { operation, filters = {} }: PagedList, payload: Buffer): Buffer {
    return createHmac('sha256', this.key)
      .update(JSON.stringify([operation, caller.tenantId ?? null, caller.user.id, filters]))
      .update(payload)
      .digest()
      .subarray(0, MAC_BYTES);
  }
}
