import { Injectable } from '@nestjs/common';
import { newId } from '../../common/identifier.js';
import { type Language } from '../../common/messages/languages.js';
import { type NotificationType } from '../../common/messages/notifications.js';
import { type Page } from '../../common/page.js';
import { Problem, invalidValue, notFound } from '../../common/problem.js';
import { PagedReads } from '../../platform/database/paging/paged-reads.js';
import { type WriteTransaction } from '../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { type PageQuery } from '../../platform/http/input/page-query.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { FilesReader } from '../files/files.reader.js';
import { type CertificateResponse, presentCertificate } from './certificates.dto.js';
import { CertificatesRepository } from './certificates.repository.js';
import { DisposalFilesRepository } from './disposal-files.repository.js';
import {
  COUNTED,
  type CreateDisposalBody,
  type DecideBody,
  type DisposalFileResponse,
  type DisposalResponse,
  type DisposalRow,
  type RejectDisposalBody,
  type UpdateDisposalBody,
  decisionOf,
  presentDisposal,
} from './disposals.dto.js';
import { type CurrentRule, DisposalsRepository } from './disposals.repository.js';

/** Disposals until they are approved, and their certificates. {@link DisposalExecution} carries them out. */
@Injectable()
export class DisposalsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly disposals: DisposalsRepository,
    private readonly files: DisposalFilesRepository,
    private readonly certificates: CertificatesRepository,
    private readonly counts: FilesReader,
    private readonly pages: PagedReads,
  ) {}

  list(caller: Caller, page: PageQuery): Promise<Page<DisposalResponse>> {
    return this.pages.list(caller, 'ListDisposals', page, this.disposals, presentDisposal);
  }

  listFiles(caller: Caller, id: string, page: PageQuery): Promise<Page<DisposalFileResponse>> {
    return this.pages.page(caller, { operation: 'ListDisposalFiles', filters: { id } }, page, {
      rows: async (tx, after, limit) => {
        await this.disposals.get(tx, id);
        const rows = await this.files.list(tx, caller, id, after, limit);
        const left = rows.flatMap(({ fileId, destroyedCount }) => (destroyedCount === null ? [fileId] : []));
        const counts = await this.counts.countDocuments(tx, caller, left, COUNTED);
        return rows.map(({ destroyedCount, ...file }) => ({
          ...file,
          documentCount: destroyedCount ?? counts.get(file.fileId) ?? 0,
        }));
      },
      position: (row) => [row.closedAt, row.fileId],
    });
  }

  get(caller: Caller, id: string): Promise<DisposalResponse> {
    return this.uow.read(caller, async (tx) => presentDisposal(await this.disposals.get(tx, id)));
  }

  create(caller: Caller, { name, fileTypeId, dueBefore }: CreateDisposalBody): Promise<DisposalResponse> {
    return this.uow.write(caller, async (tx) => {
      if (dueBefore > (await this.disposals.today(tx))) throw invalidValue('dueBefore', 'disposal.future');
      const rule = await this.disposals.findRule(tx, fileTypeId);
      if (!rule) throw invalidValue('fileTypeId', 'reference.file-type');
      if (rule.period === null) throw new Problem('disposal.nothing-due');
      const disposal = await this.disposals.insert(tx, {
        ...{ id: newId(), name, fileTypeId, dueBefore, ...rule },
        ...{ createdById: caller.user.id, editors: [caller.user.id] },
      });
      if ((await this.disposals.gather(tx, caller, disposal)) === 0)
        throw new Problem('disposal.nothing-due');
      tx.record({ action: 'DisposalCreated', subjectId: disposal.id, summary: name });
      return presentDisposal(disposal);
    });
  }

  update(caller: Caller, id: string, body: UpdateDisposalBody): Promise<DisposalResponse> {
    return this.uow.write(caller, async (tx) => {
      const disposal = await this.lockDraft(tx, id);
      const decided = body.decision ? await this.files.decideOthers(tx, id, decisionOf(body)) : 0;
      if (decided === 0 && disposal.name === body.name) return presentDisposal(disposal);
      return this.changed(tx, caller, await this.disposals.update(tx, id, { name: body.name }));
    });
  }

  async delete(caller: Caller, id: string): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const { name } = await this.lockDraft(tx, id);
      await this.disposals.delete(tx, id);
      tx.record({ action: 'DisposalDeleted', subjectId: id, summary: name });
    });
  }

  async decide(caller: Caller, id: string, fileId: string, body: DecideBody): Promise<void> {
    await this.changeFile(caller, id, (tx) => this.files.decide(tx, id, fileId, decisionOf(body)));
  }

  async removeFile(caller: Caller, id: string, fileId: string): Promise<void> {
    await this.changeFile(caller, id, (tx) => this.files.remove(tx, id, fileId));
  }

  submit(caller: Caller, id: string): Promise<DisposalResponse> {
    return this.uow.write(caller, async (tx) => {
      const disposal = await this.lockDraft(tx, id);
      const rule = await this.currentRule(tx, disposal);
      if (await this.files.hasUndecided(tx, id)) throw new Problem('disposal.undecided');
      await this.disposals.addEditor(tx, id, caller.user.id);
      const submitted = await this.disposals.submit(tx, id, rule);
      tx.record({ action: 'DisposalSubmitted', subjectId: id, summary: disposal.name });
      for (const userId of await this.disposals.approvers(tx, id))
        notify(tx, userId, 'DisposalSubmitted', disposal);
      return presentDisposal(submitted);
    });
  }

  /** The approval fixes the rule and the due dates that the certificate shows. */
  approve(caller: Caller, id: string): Promise<DisposalResponse> {
    return this.uow.write(caller, async (tx) => {
      const disposal = await this.lockSubmitted(tx, id);
      if (disposal.editors.includes(caller.user.id)) throw new Problem('disposal.same-person');
      const rule = await this.currentRule(tx, disposal);
      if (rule.ruleChangedAt !== disposal.ruleChangedAt) throw new Problem('disposal.rule-changed');
      const approved = await this.disposals.approve(tx, id, rule);
      await this.disposals.storeDueDates(tx, id);
      tx.record({ action: 'DisposalApproved', subjectId: id, summary: disposal.name });
      notify(tx, disposal.createdById, 'DisposalApproved', disposal);
      tx.enqueue('ExecuteDisposal', { disposalId: id });
      return presentDisposal(approved);
    });
  }

  reject(caller: Caller, id: string, { reason }: RejectDisposalBody): Promise<DisposalResponse> {
    return this.uow.write(caller, async (tx) => {
      const disposal = await this.lockSubmitted(tx, id);
      // As before it was submitted.
      const draft = { status: 'Draft', submittedById: null, submittedAt: null } as const;
      const rejected = await this.disposals.update(tx, id, { ...draft, rejection: reason });
      tx.record({ action: 'DisposalRejected', subjectId: id, summary: `${disposal.name}: ${reason}` });
      notify(tx, disposal.createdById, 'DisposalRejected', disposal);
      return presentDisposal(rejected);
    });
  }

  certificate(caller: Caller, id: string, language: Language): Promise<CertificateResponse> {
    return this.uow.read(caller, async (tx) => {
      const disposal = await this.disposals.get(tx, id);
      if (disposal.status !== 'Completed') throw new Problem('disposal.not-completed');
      const type = await this.certificates.fileType(tx, disposal.fileTypeId);
      const actors = await this.certificates.actors(tx, id);
      return presentCertificate(disposal, type, actors, await this.certificates.files(tx, id), language);
    });
  }

  private async changeFile(
    caller: Caller,
    id: string,
    change: (tx: WriteTransaction) => Promise<boolean>,
  ): Promise<void> {
    await this.uow.write(caller, async (tx) => {
      const disposal = await this.disposals.lock(tx, id);
      if (!(await change(tx))) throw notFound();
      requireDraft(disposal);
      await this.changed(tx, caller, disposal);
    });
  }

  private async changed(
    tx: WriteTransaction,
    caller: Caller,
    disposal: DisposalRow,
  ): Promise<DisposalResponse> {
    await this.disposals.addEditor(tx, disposal.id, caller.user.id);
    tx.record({ action: 'DisposalUpdated', subjectId: disposal.id, summary: disposal.name });
    return presentDisposal(disposal);
  }

  private async lockDraft(tx: WriteTransaction, id: string): Promise<DisposalRow> {
    const disposal = await this.disposals.lock(tx, id);
    await tx.expectRepresentation(() => presentDisposal(disposal));
    requireDraft(disposal);
    return disposal;
  }

  private async lockSubmitted(tx: WriteTransaction, id: string): Promise<DisposalRow> {
    const disposal = await this.disposals.lock(tx, id);
    if (disposal.status !== 'Submitted') throw new Problem('disposal.not-submitted');
    return disposal;
  }

  /** Throws a 409 if the files of the type are kept for ever meanwhile. */
  private async currentRule(
    tx: WriteTransaction,
    { fileTypeId }: Pick<DisposalRow, 'fileTypeId'>,
  ): Promise<CurrentRule> {
    const rule = await this.disposals.findRule(tx, fileTypeId);
    if (!rule || rule.period === null) throw new Problem('disposal.nothing-due');
    return rule;
  }
}

function notify(
  tx: WriteTransaction,
  userId: string,
  type: Extract<NotificationType, `Disposal${string}`>,
  { id, name }: DisposalRow,
): void {
  tx.notify(userId, type, { disposalId: id, name, actorName: tx.actorName });
}

function requireDraft({ status }: DisposalRow): void {
  if (status !== 'Draft') throw new Problem('disposal.not-draft');
}
