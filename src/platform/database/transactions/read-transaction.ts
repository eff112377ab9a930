import { type Row, type Statement } from './tenant-batch.js';
import { type TenantContext } from './tenant-context.js';
import { type QueryOptions, type TenantTransaction } from './tenant-transaction.js';

/** Runs statements of a tenant in one round trip. Resolves with the rows of each. */
export type RoundTrip = (statements: readonly Statement[]) => Promise<Row[][]>;

/** Reads without an open transaction between the queries. */
export class ReadTransaction implements TenantTransaction {
  constructor(
    readonly context: TenantContext,
    private readonly roundTrip: RoundTrip,
  ) {}

  get tenantId(): string {
    return this.context.tenantId;
  }

  async query<R extends object = Row>(
    text: string,
    values: readonly unknown[] = [],
    options?: QueryOptions,
  ): Promise<R[]> {
    const [rows] = await this.roundTrip([{ text, values, ...options }]);
    return rows as R[];
  }

  queryAll(statements: readonly Statement[]): Promise<Row[][]> {
    return this.roundTrip(statements);
  }
}
