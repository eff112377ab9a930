import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

const KEPT_MS = 10 * 60_000;
/** Others then have at most half as many texts, and a search that looks up only words or texts reads no more of theirs. */
const MOST = 2 / 3;

interface Share {
  readonly id: string;
  readonly share: number;
}

/**
 * The shares of tenants in all texts of documents, and of fields in all texts of fields, from a sample. They only decide how
 * a search uses an index (docs/adr/0007), so they may be old, or unknown.
 */
@Injectable()
export class SearchSharesReader {
  private shares: ReadonlyMap<string, number> = new Map();
  private readAt = -Infinity;

  constructor(private readonly dataSource: DataSource) {}

  /** Whether the tenant, or the fields together, have most of these texts. Does not wait for the database. */
  areMost(ids: readonly string[]): boolean {
    if (performance.now() - this.readAt > KEPT_MS) this.read().catch(() => undefined);
    return ids.reduce((sum, id) => sum + (this.shares.get(id) ?? 0), 0) >= MOST;
  }

  async read(): Promise<void> {
    this.readAt = performance.now();
    const rows = await this.dataSource.query<Share[]>('SELECT id, share FROM search_shares()');
    this.shares = new Map(rows.map(({ id, share }) => [id, share]));
  }
}
