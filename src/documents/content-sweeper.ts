import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { ContentStore } from '../content/content-store.js';
import { type SweepResult, sweepContent } from '../content/content-sweep.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Log } from '../http/log.js';
import { serviceContext } from '../tenancy/access.directory.js';
import { ContentsRepository } from './contents.repository.js';

const HOUR_MS = 60 * 60 * 1000;
/** Whoever holds this advisory lock sweeps; the others need not. */
const SWEEP_LOCK = 7_203_114_002;

/**
 * Sweeps the content store at start and every hour, on one instance at a time. Several would do no harm, only the
 * same work; so losing the lock in the middle matters to nobody.
 */
@Injectable()
export class ContentSweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly uow: UnitOfWork,
    private readonly store: ContentStore,
    private readonly contents: ContentsRepository,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    const run = () => {
      this.running = this.sweep().catch((err: unknown) => {
        if (!this.stopping.signal.aborted) this.log.error({ err }, 'sweeping the content store failed');
      });
    };
    run();
    this.timer = setInterval(run, HOUR_MS).unref();
  }

  /** The pool closes after this, so a sweep that is under way ends first; the next start makes up for it. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await this.running;
  }

  /** How much was removed; null when somebody else is sweeping. */
  async sweep(): Promise<SweepResult | null> {
    return this.alone(async () => {
      const result = await sweepContent(this.store, (...asked) => this.referenced(...asked), {
        exclusively: (...asked) => this.removeUnreferenced(...asked),
        signal: this.stopping.signal,
      });
      if (result.temporary + result.kept > 0) this.log.info({ ...result }, 'swept the content store');
      return result;
    });
  }

  private referenced(tenantId: string, sha256s: string[]): Promise<Set<string>> {
    return this.uow.read(serviceContext(tenantId), (tx) => this.contents.referenced(tx, sha256s));
  }

  private removeUnreferenced(tenantId: string, sha256: string, remove: () => Promise<void>): Promise<void> {
    return this.uow.write(serviceContext(tenantId), async (tx) => {
      if (!(await this.contents.lockUnreferenced(tx, sha256))) return;
      await remove();
      await this.contents.delete(tx, sha256);
    });
  }

  /**
   * Holds the lock on a connection of its own, which takes none of the requests', in a transaction, which a pooler
   * between us and PostgreSQL leaves to us.
   */
  private async alone<T>(work: () => Promise<T>): Promise<T | null> {
    const { url } = this.dataSource.options as { url: string };
    const client = new pg.Client({ connectionString: url, application_name: 'filing-service sweep' });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('BEGIN');
      await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      const { rows } = await client.query<{ ours: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS ours', [
        SWEEP_LOCK,
      ]);
      return rows[0]?.ours ? await work() : null;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
