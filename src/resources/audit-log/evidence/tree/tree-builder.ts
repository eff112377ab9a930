import { AsyncResource } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, type OnModuleInit } from '@nestjs/common';
import { Counter } from 'prom-client';
import { ADVISORY_LOCKS } from '../../../../platform/database/advisory-locks.js';
import { ScheduledTasks } from '../../../../platform/database/scheduled-tasks.js';
import { type WriteTransaction } from '../../../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../../../platform/database/transactions/unit-of-work.js';
import { EventHub } from '../../../../platform/events/event-hub.js';
import { Metrics } from '../../../../platform/http/server/metrics.js';
import { Log } from '../../../../platform/logging/log.js';
import { serviceContext } from '../../../../platform/tenancy/access/access.directory.js';
import { TenantsReader } from '../../../../platform/tenancy/tenants/tenants.reader.js';
import { AuditTreeRepository, type StoredLeaf } from './audit-tree.repository.js';
import { SALT_BYTES, leafOf } from './leaf.js';
import { TILE, hashLeaf } from './merkle-tree.js';

/** Time for further events to join the batch, in milliseconds. Larger batches cost less. */
const COLLECT_MS = 250;
/** For events of a process that ended, or failed, before it added their leaves. */
const EVERY_MS = 60_000;
/** Maximum number of leaves in one transaction. */
const BATCH = 4 * TILE;
/** Leaves that are hashed before other work of the process continues. */
const SLICE = 64;
/** An error that persists is logged at this interval. */
const LOG_MS = 60_000;

/**
 * Adds the leaves of sequenced audit entries to the tree of their tenant (docs/adr/0053): in the process that has given
 * them their sequences, and in one process every minute for what others left. One batch of each waiting tenant at a
 * time.
 */
@Injectable()
export class TreeBuilder implements OnModuleInit, BeforeApplicationShutdown {
  /** The tree of the tenant cannot grow until the entry is restored. */
  private readonly missing = new Counter({
    name: 'audit_entries_missing_total',
    help: 'Attempts to add a leaf for an audit entry that was deleted from the database',
    registers: [],
  });
  private readonly waiting = new Set<string>();
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private pass: Promise<void> | undefined;
  private loggedAt = -Infinity;
  private readonly schedule = AsyncResource.bind((delayMs: number) => {
    if (this.stopping.signal.aborted) return;
    this.timer ??= setTimeout(() => this.start(), delayMs).unref();
  });

  constructor(
    private readonly uow: UnitOfWork,
    private readonly trees: AuditTreeRepository,
    private readonly hub: EventHub,
    private readonly tenants: TenantsReader,
    private readonly tasks: ScheduledTasks,
    private readonly log: Log,
    metrics: Metrics,
  ) {
    metrics.registry.registerMetric(this.missing);
  }

  onModuleInit(): void {
    this.hub.onOwnAdvance((tenantId) => {
      this.waiting.add(tenantId);
      this.schedule(COLLECT_MS);
    });
    this.tasks.add({
      name: 'add leaves to the audit trees',
      lock: ADVISORY_LOCKS.auditTrees,
      everyMs: EVERY_MS,
      run: (signal) => this.completeAll(signal),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.pass;
  }

  /** Adds all missing leaves of all tenants. */
  completeAll(signal?: AbortSignal): Promise<void> {
    const work = { function: 'tenants_with_audit_entries_without_leaf' } as const;
    return this.tenants.forEach(work, (tenantId) => this.complete(tenantId, signal), signal);
  }

  /** Adds all missing leaves of a tenant. Another process that has locked the tree continues by itself. */
  async complete(tenantId: string, signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted && (await this.extend(tenantId)) === 'more');
  }

  private start(): void {
    this.pass = this.runPass().then((hasMore) => {
      this.timer = undefined;
      this.pass = undefined;
      if (this.waiting.size > 0) this.schedule(hasMore ? 0 : COLLECT_MS);
    });
  }

  /** Returns whether a tenant has a backlog. */
  private async runPass(): Promise<boolean> {
    const tenants = [...this.waiting];
    this.waiting.clear();
    let hasMore = false;
    for (const tenantId of tenants) {
      if (this.stopping.signal.aborted) break;
      try {
        const outcome = await this.extend(tenantId);
        if (outcome !== 'done') this.waiting.add(tenantId);
        hasMore ||= outcome === 'more';
      } catch (err) {
        // Repeated every minute, and after the next event.
        this.logFailure(err);
      }
    }
    return hasMore;
  }

  /** `busy`: another transaction has locked the tree. */
  private extend(tenantId: string): Promise<'done' | 'more' | 'busy'> {
    return this.uow.write(serviceContext(tenantId), async (tx) => {
      const size = await this.trees.lock(tx);
      if (size === undefined) return (await this.trees.create(tx)) ? 'more' : 'busy';
      const leaves = await this.newLeaves(tx, size);
      if (leaves.length === 0) return 'done';
      await this.trees.append(tx, size, leaves);
      return leaves.length === BATCH ? 'more' : 'done';
    });
  }

  private async newLeaves(tx: WriteTransaction, size: number): Promise<StoredLeaf[]> {
    const entries = await this.trees.entries(tx, { from: size, to: size + BATCH });
    const salts = randomBytes(entries.length * SALT_BYTES);
    const leaves: StoredLeaf[] = [];
    for (const [index, entry] of entries.entries()) {
      // The service cannot delete entries or events. The owner of the database has, before they had leaves.
      if (entry.sequence !== size + index || (entry.id as string | null) === null) {
        this.missing.inc();
        throw new Error(`The audit log of the tenant ${tx.tenantId} has no entry ${size + index}`);
      }
      const salt = salts.subarray(index * SALT_BYTES, (index + 1) * SALT_BYTES);
      leaves.push({ salt, hash: hashLeaf(leafOf(entry, salt)) });
      if (index % SLICE === SLICE - 1) await nextTurn();
    }
    return leaves;
  }

  private logFailure(err: unknown): void {
    const now = performance.now();
    if (this.stopping.signal.aborted || now - this.loggedAt < LOG_MS) return;
    this.loggedAt = now;
    this.log.error({ err }, 'audit entries have no leaves yet; trying again');
  }
}
