import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Problem } from '../../../common/problem.js';
import { ADVISORY_LOCKS } from '../../../platform/database/advisory-locks.js';
import { isConnectionBroken } from '../../../platform/database/database-problems.js';
import { ScheduledTasks } from '../../../platform/database/scheduled-tasks.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { JobRunner } from '../../../platform/jobs/job-runner.js';
import { Log } from '../../../platform/logging/log.js';
import { serviceContext } from '../../../platform/tenancy/access/access.directory.js';
import { TenantsReader } from '../../../platform/tenancy/tenants/tenants.reader.js';
import { LexiconRepository } from './lexicon.repository.js';

const EVERY_MS = 5 * 60 * 1000;
/** After this time, a job ends and another one continues, so that other jobs run between them. */
const JOB_MS = 2000;
/** Delay of the next job after one that another job of the lexicon, or a lock of a document, has stopped. */
const BUSY_DELAY_MS = 1000;

/**
 * Keeps the lexicons up to date (docs/adr/0044). Changes of documents queue a job. A task queues jobs for work that is
 * left: after an upgrade, or when a job was lost.
 */
@Injectable()
export class LexiconUpdates implements OnModuleInit {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly lexicons: LexiconRepository,
    private readonly tenants: TenantsReader,
    private readonly tasks: ScheduledTasks,
    private readonly runner: JobRunner,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.runner.handle('UpdateLexicon', ({ tenantId, signal }) => this.update(tenantId, signal));
    this.tasks.add({
      name: 'find lexicons that are not up to date',
      lock: ADVISORY_LOCKS.lexicons,
      everyMs: EVERY_MS,
      run: (signal) => this.enqueue(signal),
    });
  }

  /**
   * Adds the words of queued documents and finds documents for words without one, by turns. Queues another job when the
   * time is over, or for documents that were locked.
   */
  async update(tenantId: string, signal?: AbortSignal, jobMs = JOB_MS): Promise<void> {
    const context = serviceContext(tenantId);
    const end = Date.now() + jobMs;
    const skipped: string[] = [];
    let [after, isFull, wasFull, isDone, hasLocked] = ['', false, false, false, false];
    const later = () => this.queue(tenantId, BUSY_DELAY_MS);
    for (;;) {
      // Locks nothing. A job that finds work left can therefore not be refused because of one that finds none.
      const work = await this.uow.read(context, (tx) => this.lexicons.findWork(tx, skipped, after));
      const documents = isFull ? [] : work.documents;
      if (documents.length === 0 && work.words.length === 0) return hasLocked ? later() : undefined;
      const added = await this.eachAfterError(documents, tenantId, signal, (ids) =>
        this.uow.write(context, (tx) => this.lexicons.addWords(tx, ids)),
      );
      if (added.results.includes('Busy')) return later();
      isFull ||= added.results.includes('Full');
      if (isFull && !wasFull) this.log.warn({ tenantId }, 'the lexicon is full');
      wasFull ||= isFull;
      const locked = added.results.flatMap((result) => (Array.isArray(result) ? result : []));
      hasLocked ||= locked.length > 0;
      skipped.push(...locked, ...added.failed);
      const found = await this.eachAfterError(work.words, tenantId, signal, (words) =>
        this.uow.write(context, (tx) => this.lexicons.findDocuments(tx, words)),
      );
      if (found.results.includes('Busy')) return later();
      if (found.results.some((removed) => Number(removed) > 0)) isFull = false;
      after = work.words.at(-1) ?? after;
      isDone ||= added.results.length + found.results.length > 0;
      if (Date.now() < end) continue;
      // The next job would fail in the same way. The queue of jobs delays the next attempt.
      if (!isDone) throw added.error ?? found.error;
      // Otherwise after the other jobs of the tenant.
      return hasLocked ? later() : this.queue(tenantId, null);
    }
  }

  async enqueue(signal?: AbortSignal): Promise<void> {
    const work = { function: 'tenants_with_word_changes' } as const;
    await this.tenants.forEach(work, (tenantId) => this.queue(tenantId), signal);
  }

  private queue(tenantId: string, runAt?: number | null): Promise<void> {
    return this.uow.write(serviceContext(tenantId), (tx) =>
      Promise.resolve(tx.enqueue('UpdateLexicon', {}, runAt)),
    );
  }

  /**
   * Runs the work for all items; after an error, for each of them alone. Otherwise one document or word with an error
   * would stop the lexicon of its tenant. Failed items stay until the next job.
   */
  private async eachAfterError<T>(
    items: readonly string[],
    tenantId: string,
    signal: AbortSignal | undefined,
    work: (items: readonly string[]) => Promise<T>,
  ): Promise<{ results: T[]; failed: string[]; error: unknown }> {
    const [results, failed]: [T[], string[]] = [[], []];
    let error: unknown;
    for (let batches = items.length > 0 ? [items] : []; batches.length > 0;) {
      const [batch = [], ...others] = batches;
      batches = others;
      signal?.throwIfAborted();
      try {
        results.push(await work(batch));
      } catch (err) {
        if (err instanceof Problem || isConnectionBroken(err)) throw err;
        error = err;
        if (batch.length > 1) batches = batch.map((item) => [item]);
        else failed.push(...batch);
      }
    }
    if (error !== undefined) this.log.warn({ tenantId, err: error }, 'the lexicon was updated only in part');
    return { results, failed, error };
  }
}
