import { AsyncResource } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, type OnModuleInit } from '@nestjs/common';
import { Counter } from 'prom-client';
import { ADVISORY_LOCKS } from '../../../../platform/database/advisory-locks.js';
import { ScheduledTasks } from '../../../../platform/database/scheduled-tasks.js';
import { UnitOfWork } from '../../../../platform/database/transactions/unit-of-work.js';
import { EventHub } from '../../../../platform/events/event-hub.js';
import { Metrics } from '../../../../platform/http/server/metrics.js';
import { Log } from '../../../../platform/logging/log.js';
import { serviceContext } from '../../../../platform/tenancy/access/access.directory.js';
import { TenantsReader } from '../../../../platform/tenancy/tenants/tenants.reader.js';
import { AuditTreeRepository, type LockedTree, type StoredLeaf } from './audit-tree.repository.js';
import { SALT_BYTES, leafOf } from './leaf.js';
import { TILE, hashLeaf } from './merkle-tree.js';

/** Time for further events to join the batch, in milliseconds. */
const COLLECT_MS = 250;
/**
 * The same under load: as a multiple of the duration of the last pass, and at most. A transaction costs as much as a
 * hundred leaves, so larger batches cost less.
 */
const COLLECT_SHARE = 20;
const MAX_COLLECT_MS = 5000;
/** For events of a process that ended, or failed, before it added their leaves. */
const EVERY_MS = 60_000;
/** Maximum number of leaves in one transaction. */
const BATCH = 4 * TILE;
/** Leaves that are hashed before other work of the process continues. */
const SLICE = 64;

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
  private restsUntil = 0;
  private readonly schedule = AsyncResource.bind((delayMs: number) => {
    if (this.stopping.signal.aborted) return;
    const rest = this.restsUntil - performance.now();
    this.timer ??= setTimeout(() => this.start(), Math.max(delayMs, rest)).unref();
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
    for (let began = performance.now(); !signal?.aborted; began = performance.now()) {
      if ((await this.extend(tenantId)) !== 'more') return;
      // Half of the time is for requests.
      await sleep(performance.now() - began);
    }
  }

  private start(): void {
    const began = performance.now();
    this.pass = this.runPass().then((hasMore) => {
      const now = performance.now();
      this.restsUntil = now + Math.min(MAX_COLLECT_MS, (now - began) * (hasMore ? 1 : COLLECT_SHARE));
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
      const tree = await this.trees.lockForEntries(tx, BATCH);
      if (!tree) return (await this.trees.create(tx)) ? 'more' : 'busy';
      if (tree.entries.length === 0) return 'done';
      await this.trees.append(tx, tree.size, await this.leavesOf(tx.tenantId, tree));
      return tree.entries.length === BATCH ? 'more' : 'done';
    });
  }

  private async leavesOf(tenantId: string, { size, entries }: LockedTree): Promise<StoredLeaf[]> {
    const salts = randomBytes(entries.length * SALT_BYTES);
    const leaves: StoredLeaf[] = [];
    for (const [index, entry] of entries.entries()) {
      // The service cannot delete entries or events. The owner of the database has, before they had leaves.
      if (entry.sequence !== size + index || (entry.id as string | null) === null) {
        this.missing.inc();
        throw new Error(`The audit log of the tenant ${tenantId} has no entry ${size + index}`);
      }
      const salt = salts.subarray(index * SALT_BYTES, (index + 1) * SALT_BYTES);
      leaves.push({ salt, hash: hashLeaf(leafOf(entry, salt)) });
      if (index % SLICE === SLICE - 1) await nextTurn();
    }
    return leaves;
  }

  private logFailure(err: unknown): void {
    if (!this.stopping.signal.aborted)
      this.log.lastingError({ err }, 'audit entries have no leaves yet; trying again');
  }
}
