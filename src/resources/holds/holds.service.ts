import { Injectable } from '@nestjs/common';
import { newId } from '../../common/identifier.js';
import { message } from '../../common/messages/message.js';
import { type Page } from '../../common/page.js';
import { type FieldErrors, Problem, invalid, notFound } from '../../common/problem.js';
import { PagedReads } from '../../platform/database/paging/paged-reads.js';
import { type WriteTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type PageQuery } from '../../platform/http/input/page-query.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { HOLD_ITEM_TYPES, type HoldItemType } from './hold-item.entities.js';
import { type HeldSubject, HoldItemsRepository, type SubjectIds } from './hold-items.repository.js';
import {
  type AddHoldItemsBody,
  type HoldBody,
  type HoldItemResponse,
  type HoldResponse,
} from './holds.dto.js';
import { HoldsRepository } from './holds.repository.js';

/** The members of the body with the ids of each type, and their errors. */
const MEMBERS = {
  File: { member: 'fileIds', notFound: message('reference.file') },
  Document: { member: 'documentIds', notFound: message('reference.document') },
} as const;

/**
 * Holds. Audit entries about a hold have no summary, and those about what it contains none of its texts: only members
 * with `holds.manage` may read its name and reason.
 */
@Injectable()
export class HoldsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly holds: HoldsRepository,
    private readonly items: HoldItemsRepository,
    private readonly pages: PagedReads,
  ) {}

  list(caller: Caller, page: PageQuery): Promise<Page<HoldResponse>> {
    return this.pages.list(caller, 'ListHolds', page, this.holds);
  }

  create(caller: Caller, { name, reason }: HoldBody): Promise<HoldResponse> {
    return this.uow.write(caller, async (tx) => {
      const hold = await this.holds.insert(tx, { id: newId(), name, reason, createdById: caller.user.id });
      tx.record({ action: 'HoldCreated', subjectId: hold.id, summary: null });
      return hold;
    });
  }

  get(caller: Caller, id: string): Promise<HoldResponse> {
    return this.uow.read(caller, (tx) => this.holds.get(tx, id));
  }

  update(caller: Caller, id: string, { name, reason }: HoldBody): Promise<HoldResponse> {
    return this.uow.write(caller, async (tx) => {
      const hold = await this.holds.lock(tx, id);
      await tx.expectRepresentation(() => hold);
      requireActive(hold);
      if (hold.name === name && hold.reason === reason) return hold;
      const updated = await this.holds.update(tx, id, { name, reason });
      tx.record({ action: 'HoldUpdated', subjectId: id, summary: null });
      return updated;
    });
  }

  /** The hold keeps its items, as a record of what was held. */
  release(caller: Caller, id: string): Promise<HoldResponse> {
    return this.uow.write(caller, async (tx) => {
      const hold = await this.holds.lock(tx, id);
      requireActive(hold);
      const released = await this.holds.release(tx, id);
      tx.record({ action: 'HoldReleased', subjectId: id, summary: null });
      return released;
    });
  }

  listItems(caller: Caller, holdId: string, page: PageQuery): Promise<Page<HoldItemResponse>> {
    return this.pages.page(caller, { operation: 'ListHoldItems', filters: { holdId } }, page, {
      rows: (tx, after, limit) => this.items.list(tx, caller, holdId, after, limit),
      position: (row) => [row.addedAt, row.subjectId],
    });
  }

  /** Adds all of them, or none if one is not visible to the caller. */
  async addItems(caller: Caller, holdId: string, { fileIds, documentIds }: AddHoldItemsBody): Promise<void> {
    const ids = { File: fileIds ?? [], Document: documentIds ?? [] };
    await this.add(caller, holdId, ids, (found) => invalid(notFoundErrors(ids, found)));
  }

  async addItem(caller: Caller, holdId: string, type: HoldItemType, id: string): Promise<void> {
    await this.add(caller, holdId, { File: [], Document: [], [type]: [id] }, notFound);
  }

  async removeItem(caller: Caller, holdId: string, type: HoldItemType, id: string): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const hold = await this.holds.lock(tx, holdId);
      const subject = await this.items.findVisible(tx, caller, type, id);
      if (!subject || !(await this.items.remove(tx, holdId, type, id))) throw notFound();
      requireActive(hold);
      recordItem(tx, 'HoldItemRemoved', holdId, subject);
    });
  }

  /** @param refusal the problem if not all of them were found */
  private async add(
    caller: Caller,
    holdId: string,
    ids: SubjectIds,
    refusal: (found: readonly HeldSubject[]) => Problem,
  ): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const hold = await this.holds.lock(tx, holdId);
      const subjects = await this.items.lockVisible(tx, caller, ids);
      if (subjects.length < ids.File.length + ids.Document.length) throw refusal(subjects);
      requireActive(hold);
      if (subjects.some(({ isInDestruction }) => isInDestruction)) throw new Problem('disposal.running');
      const added = new Set([
        ...(await this.items.add(tx, holdId, 'Document', ids.Document)),
        ...(await this.items.add(tx, holdId, 'File', ids.File)),
      ]);
      for (const subject of subjects)
        if (added.has(subject.subjectId)) recordItem(tx, 'HoldItemAdded', holdId, subject);
    });
  }
}

function requireActive({ status }: HoldResponse): void {
  if (status === 'Released') throw new Problem('hold.released');
}

function recordItem(
  tx: WriteTransaction,
  action: 'HoldItemAdded' | 'HoldItemRemoved',
  holdId: string,
  { subjectType, subjectId, title }: HeldSubject,
): void {
  tx.record({ action, subjectType, subjectId, summary: title, related: { holdId } });
}

function notFoundErrors(ids: SubjectIds, found: readonly HeldSubject[]): FieldErrors {
  const errors: FieldErrors = {};
  for (const type of HOLD_ITEM_TYPES) {
    const { member, notFound } = MEMBERS[type];
    const known = new Set(
      found.filter(({ subjectType }) => subjectType === type).map(({ subjectId }) => subjectId),
    );
    ids[type].forEach((id, index) => {
      if (!known.has(id)) errors[`${member}[${index}]`] = [notFound];
    });
  }
  return errors;
}
