import { Injectable } from '@nestjs/common';
import { Problem, orNotFound } from '../../common/problem.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { type NumberCounter, NumberingRepository } from './numbering.repository.js';
import { type NumberSeries, fits, numberOf, seriesOf } from './number-pattern.js';

/** How many numbers in use a counter skips for one file. */
const MAX_SKIPPED = 1000;

/** Gives the numbers of files. */
@Injectable()
export class NumberingReader {
  constructor(private readonly numberings: NumberingRepository) {}

  /**
   * Creates a file with the next number of its type. The counter is locked until the commit and advances with the file,
   * so there are no gaps, and no number is given twice.
   *
   * @param create returns null if another file has the number meanwhile
   * @throws Problem 404 for an unknown file type, 409 without a pattern, or if no number is free
   */
  async number<T>(
    tx: TenantTransaction,
    fileTypeId: string,
    create: (number: string) => Promise<T | null>,
  ): Promise<T> {
    const series = await this.series(tx, fileTypeId);
    const counter = await this.numberings.lockCounter(tx, series);
    const first = await this.start(tx, series, counter);
    for (let from = first; ;) {
      const sequence = await this.free(tx, series, from, first + MAX_SKIPPED);
      const created = await create(numberOf(series, sequence));
      if (created !== null) {
        await this.numberings.saveCounter(tx, series, { next: sequence + 1, given: sequence });
        return created;
      }
      from = sequence + 1;
    }
  }

  /** The number that {@link number} would give now. */
  async nextNumber(tx: TenantTransaction, fileTypeId: string): Promise<string> {
    const series = await this.series(tx, fileTypeId);
    const first = await this.start(tx, series, await this.numberings.findCounter(tx, series));
    return numberOf(series, await this.free(tx, series, first, first + MAX_SKIPPED));
  }

  private async series(tx: TenantTransaction, fileTypeId: string): Promise<NumberSeries> {
    const found = orNotFound(await this.numberings.find(tx, fileTypeId));
    if (found.pattern === null) throw new Problem('numbering.none');
    return seriesOf(found.pattern, found.month);
  }

  /** A new counter starts after the greatest number in use. */
  private async start(
    tx: TenantTransaction,
    series: NumberSeries,
    counter: NumberCounter | null,
  ): Promise<number> {
    return counter?.next ?? (await this.numberings.highest(tx, series)) + 1;
  }

  private async free(tx: TenantTransaction, series: NumberSeries, from: number, to: number): Promise<number> {
    const sequence = await this.numberings.firstFree(tx, series, from, to);
    if (sequence === null || !fits(numberOf(series, sequence))) throw new Problem('numbering.exhausted');
    return sequence;
  }
}
