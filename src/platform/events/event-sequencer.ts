import { AsyncResource } from 'node:async_hooks';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { type WriteTransaction } from '../database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../database/transactions/unit-of-work.js';
import { INSTANCE, type Instance, runsBackgroundWork } from '../instances/instance.js';
import { Log } from '../logging/log.js';
import { Recording } from '../recording/recording.js';
import { serviceContext } from '../tenancy/access/access.directory.js';
import { EventHub } from './event-hub.js';
import { EventLogRepository } from './event-log.repository.js';

/** Time for further commits to join the batch of a pass, in milliseconds. */
const COLLECT_MS = 20;
/** The same under load: as a multiple of the duration of the last pass, and at most. Larger batches cost less. */
const COLLECT_SHARE = 4;
const MAX_COLLECT_MS = 200;
/** For entries of other processes, also of those that ended before they could give them a sequence. */
const POLL_MS = 1000;
/** On Citus, a poll reads each shard. */
const DISTRIBUTED_POLL_MS = 5000;
/** Age of an entry in milliseconds after which every process takes it. */
const LATE_MS = 1000;
/** Pause after an error: the database may be unavailable. */
const RETRY_MS = 1000;
/** Maximum number of entries in one transaction. */
const BATCH = 1000;
/** Maximum number of tenants in one pass; their ids are in one notification, which has at most 8000 bytes. */
const TENANTS = 100;
/** Number of transactions at the same time. */
const CONCURRENCY = 2;

/** `more`: another batch is necessary, or another process is working on the tenant. */
interface Outcome {
  readonly advanced: boolean;
  readonly more: boolean;
}

/**
 * Gives each committed audit entry the next sequence in the event log of its tenant (docs/adr/0039). Runs in every
 * process: after its own commits, and in one process of each service for what others have left in the queue. Passes
 * take one batch of each waiting tenant, so that a tenant with a large backlog does not delay the others.
 */
@Injectable()
export class EventSequencer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** Tenants that may have queued entries, in the order in which they get their next batch. */
  private readonly waiting = new Set<string>();
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private poll: NodeJS.Timeout | undefined;
  private pass: Promise<void> | undefined;
  private isPolling = false;
  /** Not in the context of a request, whose trace would otherwise include the passes after it. */
  private readonly schedule = AsyncResource.bind((delayMs: number) => {
    if (this.stopping.signal.aborted) return;
    this.timer ??= setTimeout(() => this.start(), delayMs).unref();
  });

  constructor(
    private readonly uow: UnitOfWork,
    private readonly log: Log,
    private readonly events: EventLogRepository,
    private readonly hub: EventHub,
    private readonly recording: Recording,
    @Inject(INSTANCE) private readonly instance: Instance | null,
  ) {}

  onApplicationBootstrap(): void {
    this.recording.onAudit((tenantId) => {
      this.waiting.add(tenantId);
      this.schedule(COLLECT_MS);
    });
    if (!runsBackgroundWork(this.instance)) return;
    const interval = this.uow.layout.isDistributed ? DISTRIBUTED_POLL_MS : POLL_MS;
    this.poll = setInterval(() => void this.findTenants(), interval).unref();
  }

  /** Waits for the transactions in progress, because the pool closes next. Other entries stay queued. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    clearInterval(this.poll);
    clearTimeout(this.timer);
    await this.pass;
  }

  /** Takes what is late. Newer entries get their sequences from the process that has written them. */
  private async findTenants(): Promise<void> {
    if (this.isPolling || this.waiting.size >= TENANTS) return;
    this.isPolling = true;
    try {
      const late = { ...this.uow.layout.queuedTenants, values: [`${LATE_MS} milliseconds`] };
      const tenants = await this.uow.readAllTenants<{ tenantId: string }>(late);
      for (const { tenantId } of tenants) this.waiting.add(tenantId);
    } catch (err) {
      this.logFailure(err);
    } finally {
      this.isPolling = false;
    }
    if (this.waiting.size > 0) this.schedule(0);
  }

  private start(): void {
    this.pass = this.runPass()
      .catch((err: unknown) => {
        this.logFailure(err);
        return RETRY_MS;
      })
      .then((delayMs) => {
        this.timer = undefined;
        this.pass = undefined;
        if (this.waiting.size > 0) this.schedule(delayMs);
      });
  }

  /** Takes one batch of each waiting tenant. Returns the delay until the next pass. */
  private async runPass(): Promise<number> {
    const tenants = [...this.waiting].slice(0, TENANTS);
    for (const tenantId of tenants) this.waiting.delete(tenantId);
    const advanced: string[] = [];
    let failure: unknown;
    let hasBacklog = this.waiting.size > 0;
    const began = performance.now();
    const work = async () => {
      for (let tenantId = tenants.shift(); tenantId !== undefined; tenantId = tenants.shift()) {
        if (this.stopping.signal.aborted) return;
        try {
          const outcome = await this.uow.write(serviceContext(tenantId), (tx) => this.advance(tx));
          if (outcome.advanced) advanced.push(tenantId);
          if (outcome.more) this.waiting.add(tenantId);
          hasBacklog ||= outcome.advanced && outcome.more;
        } catch (error) {
          // The others get their batches. A later pass, or that of another process, repeats this one.
          this.waiting.add(tenantId);
          failure = error;
        }
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    if (advanced.length > 0) await this.hub.announce(advanced);
    if (failure) this.logFailure(failure);
    if (failure && advanced.length === 0) return RETRY_MS;
    const share = hasBacklog ? 0 : (performance.now() - began) * COLLECT_SHARE;
    return Math.min(MAX_COLLECT_MS, Math.max(COLLECT_MS, share));
  }

  private async advance(tx: WriteTransaction): Promise<Outcome> {
    const { head, needsBackfill, entries } = await this.events.lockHead(tx, BATCH);
    if (!needsBackfill && entries.length === 0) return { advanced: false, more: false };
    if (!head) {
      // Another process is working on the tenant, or the tenant has no head yet.
      await this.events.createHead(tx);
      return { advanced: false, more: true };
    }
    if (needsBackfill) {
      const count = await this.events.backfill(tx, head, BATCH);
      return { advanced: count > 0, more: true };
    }
    await this.events.append(tx, head, entries);
    return { advanced: true, more: entries.length === BATCH };
  }

  private logFailure(err: unknown): void {
    if (!this.stopping.signal.aborted)
      this.log.lastingError({ err }, 'events have no sequence yet; trying again');
  }
}
