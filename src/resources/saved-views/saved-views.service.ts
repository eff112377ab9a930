import { isDeepStrictEqual } from 'node:util';
import { Injectable, type StreamableFile } from '@nestjs/common';
import { newId } from '../../common/identifier.js';
import { Problem, invalid, invalidValue, orNotFound } from '../../common/problem.js';
import { nameKey, normalizeName } from '../../common/text.js';
import { type Position } from '../../platform/database/paging/cursor-codec.js';
import { type WriteTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { streamJsonArray } from '../../platform/http/response/json-stream.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import {
  type DocumentFilter,
  DocumentFiltersReader,
  NO_FILTER,
} from '../document-filters/document-filters.reader.js';
import { type SavedViewEntity } from './saved-view.entity.js';
import {
  type CreateSavedViewBody,
  type SavedViewResponse,
  type UpdateSavedViewBody,
  presentSavedView,
} from './saved-views.dto.js';
import { MAX_BYTES, SavedViewsRepository } from './saved-views.repository.js';

const MAX_VIEWS = 500;
const MAX_FILTER_BYTES = 64 * 1024;
/** Size of the filters in one batch of a streamed list in bytes; memory use is two to three times as much. */
const STREAM_BATCH_BYTES = 256 * 1024;

interface Batch {
  readonly items: readonly SavedViewResponse[];
  readonly next: Position | null;
}

@Injectable()
export class SavedViewsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly views: SavedViewsRepository,
    private readonly filters: DocumentFiltersReader,
  ) {}

  /** Returns all views. If an earlier release stored more than {@link MAX_BYTES}, the list is streamed. */
  async list(caller: Caller): Promise<readonly SavedViewResponse[] | StreamableFile> {
    const { items, next } = await this.batch(caller, null, MAX_BYTES);
    if (next === null) return items;
    return streamJsonArray((after: Position | null) => this.batch(caller, after, STREAM_BATCH_BYTES));
  }

  private batch(caller: Caller, after: Position | null, bytes: number): Promise<Batch> {
    return this.uow.read(caller, async (tx) => {
      const views = await this.views.listOf(tx, caller.user.id, after, bytes);
      const last = views.at(-1);
      return {
        items: views.map(presentSavedView),
        next: last?.hasMore ? [last.nameKey, last.id] : null,
      };
    });
  }

  get(caller: Caller, id: string): Promise<SavedViewResponse> {
    return this.uow.read(caller, async (tx) => {
      const view = orNotFound(await this.views.findOf(tx, caller.user.id, id));
      return presentSavedView(view);
    });
  }

  create(caller: Caller, { name, filter: given }: CreateSavedViewBody): Promise<SavedViewResponse> {
    const filter = given ?? NO_FILTER;
    return this.uow.write(caller, async (tx) => {
      await this.refuseInvalidFilter(tx, caller, filter, NO_FILTER);
      const { count, bytes, filterSize } = await this.views.usageOf(tx, caller.user.id, filter, null);
      if (count >= MAX_VIEWS) throw new Problem('saved-view.too-many');
      if (bytes + filterSize > MAX_BYTES) throw new Problem('saved-view.too-large');
      const view = await this.views.insert(tx, {
        id: newId(),
        ownerId: caller.user.id,
        name,
        nameKey: nameKey(name),
        filter,
      });
      tx.record({ action: 'SavedViewCreated', subjectId: view.id, summary: name, related: ownerOf(view) });
      return presentSavedView(view);
    });
  }

  update(
    caller: Caller,
    id: string,
    { name, filter: given }: UpdateSavedViewBody,
  ): Promise<SavedViewResponse> {
    return this.uow.write(caller, async (tx) => {
      const view = await this.lock(tx, caller, id);
      const filter = given ?? view.filter;
      await this.refuseInvalidFilter(tx, caller, filter, view.filter);
      const isSameFilter = isDeepStrictEqual(view.filter, filter);
      const isSameName = name === normalizeName(view.name);
      if (isSameName && isSameFilter) return presentSavedView(view);
      if (!isSameFilter) {
        const { bytes, filterSize } = await this.views.usageOf(tx, caller.user.id, filter, id);
        const isLarger = filterSize > view.filterSize;
        if (isLarger && bytes + filterSize > MAX_BYTES) throw new Problem('saved-view.too-large');
      }
      const updated = await this.views.update(tx, id, {
        ...(!isSameName && { name, nameKey: nameKey(name) }),
        filter,
      });
      const summary = isSameName ? view.name : `${view.name} → ${name}`;
      tx.record({ action: 'SavedViewUpdated', subjectId: id, summary, related: ownerOf(view) });
      return presentSavedView(updated);
    });
  }

  async delete(caller: Caller, id: string): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const view = await this.lock(tx, caller, id);
      await this.views.delete(tx, id);
      tx.record({ action: 'SavedViewDeleted', subjectId: id, summary: view.name, related: ownerOf(view) });
    });
  }

  private async lock(tx: WriteTransaction, caller: Caller, id: string): Promise<SavedViewEntity> {
    const view = orNotFound(await this.views.lockOfOrNull(tx, caller.user.id, id));
    await tx.expectRepresentation(() => presentSavedView(view));
    return view;
  }

  private async refuseInvalidFilter(
    tx: WriteTransaction,
    caller: Caller,
    filter: DocumentFilter,
    former: DocumentFilter,
  ): Promise<void> {
    const isSame = isDeepStrictEqual(filter, former);
    if (!isSame && Buffer.byteLength(JSON.stringify(filter)) > MAX_FILTER_BYTES)
      throw invalidValue('filter', 'filter.max-size');
    const found = await this.filters.validateForSaving(tx, caller, filter, former);
    const errors = Object.entries(found).map(([path, messages]) => [`filter.${path}`, messages]);
    if (errors.length > 0) throw invalid(Object.fromEntries(errors) as typeof found);
  }
}

function ownerOf({ ownerId }: SavedViewEntity): { userId: string } {
  return { userId: ownerId };
}
