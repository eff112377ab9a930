import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { nameKey } from '../../common/text.js';
import { CONFIGURATION, type Configuration } from '../../platform/config/configuration.js';
import { TenantTable } from '../../platform/database/transactions/tenant-table.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { isNumberOfDestroyed } from '../disposals/disposals.reader.js';
import { FileTypeNumberingEntity, NumberCounterEntity } from './numbering.entities.js';
import { type NumberSeries } from './number-pattern.js';

export interface CurrentNumbering {
  readonly typeKey: string;
  /** Null if the file type has none. */
  readonly pattern: string | null;
  /** `YYYYMM` in the time zone of the service, by the clock of the database. */
  readonly month: string;
}

export type NumberCounter = Pick<NumberCounterEntity, 'next' | 'given'>;

/** The greatest number that a counter can give; exact as a double. */
export const MAX_SEQUENCE = 999_999_999_999_999;

@Injectable()
export class NumberingRepository extends TenantTable<FileTypeNumberingEntity> {
  private readonly counters: TenantTable<NumberCounterEntity>;

  constructor(
    dataSource: DataSource,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {
    super(dataSource, FileTypeNumberingEntity);
    this.counters = new TenantTable(dataSource, NumberCounterEntity, { properties: ['next', 'given'] });
  }

  /** Null if the file type does not exist. */
  find(tx: TenantTransaction, fileTypeId: string): Promise<CurrentNumbering | null> {
    return tx.queryOrNull<CurrentNumbering>(
      `SELECT t.key AS "typeKey", n.pattern, to_char(now() AT TIME ZONE $3, 'YYYYMM') AS month
         FROM file_types t LEFT JOIN file_type_numberings n ON n.tenant_id = $1 AND n.file_type_id = t.id
        WHERE t.tenant_id = $1 AND t.id = $2`,
      [tx.tenantId, fileTypeId, this.configuration.timeZone],
    );
  }

  /** Locks the file type until the commit, so that only one transaction changes its pattern. */
  async lockOrNull(tx: TenantTransaction, fileTypeId: string): Promise<CurrentNumbering | null> {
    await tx.query('SELECT FROM file_types t WHERE t.tenant_id = $1 AND t.id = $2 FOR NO KEY UPDATE', [
      tx.tenantId,
      fileTypeId,
    ]);
    return this.find(tx, fileTypeId);
  }

  async setPattern(tx: TenantTransaction, fileTypeId: string, pattern: string | null): Promise<void> {
    await this.send(tx, this.deleteStatement(tx, { fileTypeId }));
    if (pattern !== null) await this.send(tx, this.insertStatement(tx, { fileTypeId, pattern }));
  }

  async findCounter(tx: TenantTransaction, { key }: NumberSeries): Promise<NumberCounter | null> {
    const [counter] = await this.counters.send(tx, this.counters.selectStatement(tx, { seriesKey: key }));
    return counter ?? null;
  }

  /** Creates the counter if there is none, and locks it until the commit. */
  async lockCounter(tx: TenantTransaction, { key }: NumberSeries): Promise<NumberCounter> {
    const [, [counter] = []] = await tx.queryAll([
      this.counters.insertStatement(tx, { seriesKey: key }, { ifAbsent: true }),
      this.counters.selectStatement(tx, { seriesKey: key }, { lock: 'for_no_key_update' }),
    ]);
    return counter as unknown as NumberCounter;
  }

  async saveCounter(
    tx: TenantTransaction,
    { key }: NumberSeries,
    { next, given }: NumberCounter,
  ): Promise<void> {
    await this.counters.send(tx, this.counters.updateStatement(tx, { next, given }, { seriesKey: key }));
  }

  /** The greatest number of the series that a file has or had, visible to the caller or not; 0 if there is none. */
  async highest(tx: TenantTransaction, { prefix, suffix }: NumberSeries): Promise<number> {
    const [row] = await tx.query<{ highest: number }>(
      `SELECT coalesce(max(CASE WHEN n.digits ~ '^[0-9]{1,15}$' THEN n.digits::bigint END), 0) AS highest
         FROM (SELECT f.number_key FROM files f WHERE f.tenant_id = $1
               UNION ALL
               SELECT o.number_key FROM disposal_files o WHERE o.tenant_id = $1 AND o.outcome = 'Destroyed') f
        CROSS JOIN LATERAL (
          SELECT substr(f.number_key, length($2) + 1,
                        greatest(length(f.number_key) - length($2) - length($3), 0)) AS digits) n
        WHERE starts_with(f.number_key, $2) AND right(f.number_key, length($3)) = $3`,
      [tx.tenantId, nameKey(prefix), nameKey(suffix)],
    );
    return row?.highest ?? 0;
  }

  /** The first number from `from` to `to` that no file has or had; null if there is none. */
  async firstFree(
    tx: TenantTransaction,
    { prefix, suffix, width }: NumberSeries,
    from: number,
    to: number,
  ): Promise<number | null> {
    const key = `$2 || lpad(g.n::text, greatest($4::int, length(g.n::text)), '0') || $3`;
    const [row] = await tx.query<{ sequence: number }>(
      `SELECT g.n AS sequence FROM generate_series($5::bigint, $6::bigint) AS g (n)
        WHERE NOT EXISTS (SELECT FROM files f WHERE f.tenant_id = $1 AND f.number_key = ${key})
          AND NOT ${isNumberOfDestroyed(key)}
        ORDER BY g.n LIMIT 1`,
      [tx.tenantId, nameKey(prefix), nameKey(suffix), width, from, Math.min(to, MAX_SEQUENCE)],
    );
    return row?.sequence ?? null;
  }
}
