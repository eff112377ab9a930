import { Injectable } from '@nestjs/common';
import { orNotFound } from '../../common/problem.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import {
  type DocumentRetentionResponse,
  type FileRetentionResponse,
  type RetentionResponse,
  type UpdateRetentionBody,
  presentFileRetention,
  presentRetention,
} from './retention.dto.js';
import { RetentionRepository } from './retention.repository.js';

@Injectable()
export class RetentionService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly retention: RetentionRepository,
  ) {}

  get(caller: Caller, fileTypeId: string): Promise<RetentionResponse> {
    return this.uow.read(caller, async (tx) => {
      const rule = orNotFound(await this.retention.find(tx, fileTypeId));
      return presentRetention(rule);
    });
  }

  /** The new rule holds for all files of the type at once, because due dates are never stored. */
  update(
    caller: Caller,
    fileTypeId: string,
    { period = null, startsAt, disposition }: UpdateRetentionBody,
  ): Promise<RetentionResponse> {
    return this.uow.write(caller, async (tx) => {
      const found = orNotFound(await this.retention.lockOrNull(tx, fileTypeId));
      await tx.expectRepresentation(() => presentRetention(found));
      const rule = { period, startsAt, disposition };
      if (textOf(found) === textOf(rule)) return rule;
      await this.retention.set(tx, fileTypeId, rule);
      tx.record({
        action: 'FileTypeRetentionChanged',
        subjectId: fileTypeId,
        summary: `${found.typeKey}: ${textOf(found)} → ${textOf(rule)}`,
      });
      return rule;
    });
  }

  ofFile(caller: Caller, id: string): Promise<FileRetentionResponse> {
    return this.uow.read(caller, async (tx) => {
      const row = orNotFound(await this.retention.findOfFile(tx, caller, id));
      return presentFileRetention(row);
    });
  }

  ofDocument(caller: Caller, id: string): Promise<DocumentRetentionResponse> {
    return this.uow.read(caller, async (tx) =>
      orNotFound(await this.retention.findOfDocument(tx, caller, id)),
    );
  }
}

function textOf({ period, startsAt, disposition }: RetentionResponse): string {
  return `${period ?? '–'}, ${startsAt}, ${disposition}`;
}
