import { Injectable } from '@nestjs/common';
import { invalidValue, orNotFound } from '../../common/problem.js';
import { type TenantTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { seriesOf } from './number-pattern.js';
import {
  type NextNumberResponse,
  type NumberingResponse,
  type UpdateNumberingBody,
} from './numbering.dto.js';
import { NumberingReader } from './numbering.reader.js';
import { type CurrentNumbering, NumberingRepository } from './numbering.repository.js';

@Injectable()
export class NumberingService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly numberings: NumberingRepository,
    private readonly numbers: NumberingReader,
  ) {}

  get(caller: Caller, fileTypeId: string): Promise<NumberingResponse> {
    return this.uow.read(caller, async (tx) => {
      const found = orNotFound(await this.numberings.find(tx, fileTypeId));
      return this.present(tx, found);
    });
  }

  nextNumber(caller: Caller, fileTypeId: string): Promise<NextNumberResponse> {
    return this.uow.read(caller, async (tx) => ({ number: await this.numbers.nextNumber(tx, fileTypeId) }));
  }

  update(
    caller: Caller,
    fileTypeId: string,
    { pattern = null, next = null }: UpdateNumberingBody,
  ): Promise<NumberingResponse> {
    return this.uow.write(caller, async (tx) => {
      const found = orNotFound(await this.numberings.lockOrNull(tx, fileTypeId));
      const before = await this.present(tx, found);
      await tx.expectRepresentation(() => before);
      if (pattern !== found.pattern) await this.numberings.setPattern(tx, fileTypeId, pattern);
      if (pattern !== null && next !== null) await this.continueWith(tx, { ...found, pattern }, next);
      const after = await this.present(tx, { ...found, pattern });
      if (before.pattern === after.pattern && before.next === after.next) return after;
      tx.record({
        action: 'FileTypeNumberingChanged',
        subjectId: fileTypeId,
        summary: `${found.typeKey}: ${textOf(before)} → ${textOf(after)}`,
      });
      return after;
    });
  }

  private async continueWith(
    tx: TenantTransaction,
    { pattern, month }: CurrentNumbering & { readonly pattern: string },
    next: number,
  ): Promise<void> {
    const series = seriesOf(pattern, month);
    const counter = await this.numberings.lockCounter(tx, series);
    if (next <= counter.given) throw invalidValue('next', 'numbering.next-given', { given: counter.given });
    if (next !== counter.next) await this.numberings.saveCounter(tx, series, { ...counter, next });
  }

  private async present(
    tx: TenantTransaction,
    { pattern, month }: CurrentNumbering,
  ): Promise<NumberingResponse> {
    if (pattern === null) return { pattern };
    const counter = await this.numberings.findCounter(tx, seriesOf(pattern, month));
    return counter?.next == null ? { pattern } : { pattern, next: counter.next };
  }
}

function textOf({ pattern, next }: NumberingResponse): string {
  if (pattern === null) return '–';
  return next === undefined ? pattern : `${pattern} (${next})`;
}
