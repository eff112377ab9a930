import { type KeyObject, createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Page } from '../../../common/page.js';
import { invalidValue } from '../../../common/problem.js';
import { type BoundedRow } from './bounded-page.js';

export interface PagedList {
  readonly operation: string;
  readonly filters?: object;
}

/** Caller that the cursor is for: in a tenant, or a user without a tenant. */
export interface CursorOwner {
  readonly tenantId?: string;
  readonly user: { readonly id: string };
}

/** Sort key of the last row of a page: values for the comparison in PostgreSQL, as text. */
export type Position = readonly string[];

const MAC_BYTES = 16;

/**
 * Encodes cursors: opaque, URL-safe and signed. The signature covers operation, tenant, caller and filters; the
 * cursor does not contain them. The signing key is in the database, so all instances accept each other's cursors.
 */
@Injectable()
export class CursorCodec implements OnModuleInit {
  private key!: KeyObject;

  constructor(private readonly dataSource: DataSource) {}

  async onModuleInit(): Promise<void> {
    const [secret] = await this.dataSource.query<{ value: Buffer }[]>(
      `SELECT value FROM service_secrets WHERE name = 'cursor'`,
    );
    if (!secret) throw new Error('The database has no cursor key');
    this.key = createSecretKey(secret.value);
  }

  /** The position in a cursor; null without a cursor. Throws a 400 for a cursor of another list or caller. */
  read(caller: CursorOwner, list: PagedList, cursor: string | undefined): Position | null {
    if (cursor === undefined) return null;
    const bytes = Buffer.from(cursor, 'base64url');
    const payload = bytes.subarray(MAC_BYTES);
    const isValid =
      bytes.length > MAC_BYTES &&
      bytes.toString('base64url') === cursor &&
      timingSafeEqual(bytes.subarray(0, MAC_BYTES), this.mac(caller, list, payload));
    if (!isValid) throw invalidValue('cursor', 'value.cursor');
    return JSON.parse(payload.toString()) as string[];
  }

  /**
   * Creates a page. There is a next page if `rows` has more rows than the limit, or if the last row of a bounded page
   * has `hasMore`.
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

  write(caller: CursorOwner, list: PagedList, position: Position): string {
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
