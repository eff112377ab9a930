import { type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import pg from 'pg';
import { type DataSource } from 'typeorm';
import { type LogWriter } from '../logging/log.js';
import { SHORT_STATEMENT_LIMITS, limitOptions } from './connections/session-limits.js';

/** What the service does by itself, now and then. */
interface ScheduledTask {
  /** As the log names it: `sweep the content store`. */
  readonly name: string;
  /** Number of the advisory lock: whoever holds it runs the task, the others need not. One for each task. */
  readonly lock: number;
  readonly everyMs: number;
  /** Should end soon once the signal is aborted; what it leaves undone the next run makes up for. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Runs tasks at start and then at intervals, each on one instance at a time and never twice at once. A run that fails is
 * logged, and the next one tries again. Nothing may depend on a task for being right: it tidies up.
 */
export class ScheduledTasks implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly tasks: ScheduledTask[] = [];
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly running = new Map<ScheduledTask, Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly dataSource: DataSource,
    private readonly log: Pick<LogWriter, 'error'>,
  ) {}

  /** To be called before the service has started. */
  add(task: ScheduledTask): void {
    this.tasks.push(task);
  }

  onApplicationBootstrap(): void {
    for (const task of this.tasks) {
      this.start(task);
      this.timers.push(setInterval(() => this.start(task), task.everyMs).unref());
    }
  }

  /** The pool closes after this, so what is under way ends first. */
  async beforeApplicationShutdown(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    this.stopping.abort();
    await this.waitForRunning();
  }

  /** Once what is under way now has ended, well or not. */
  async waitForRunning(): Promise<void> {
    await Promise.all(this.running.values());
  }

  private start(task: ScheduledTask): void {
    if (this.running.has(task)) return;
    const run = this.runWithLock(task)
      .catch((err: unknown) => {
        if (!this.stopping.signal.aborted)
          this.log.error({ err, task: task.name }, 'a scheduled task failed');
      })
      .finally(() => this.running.delete(task));
    this.running.set(task, run);
  }

  /**
   * Holds the lock on a connection of its own, which takes none of the requests', in a transaction, which a pooler
   * between us and PostgreSQL leaves to us.
   */
  private async runWithLock(task: ScheduledTask): Promise<void> {
    const { url } = this.dataSource.options as { url: string };
    const client = new pg.Client({
      connectionString: url,
      application_name: 'filing-service task',
      connectionTimeoutMillis: 10_000,
      options: limitOptions(SHORT_STATEMENT_LIMITS),
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('BEGIN');
      // What the task does, it does elsewhere, for as long as it takes.
      await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      // Without parameters, so by the simple protocol: the extended one would leave a snapshot open for as long as the
      // task runs, behind which vacuum could clear nothing away.
      const { rows } = await client.query<{ ours: boolean }>(
        `SELECT pg_try_advisory_xact_lock(${task.lock}) AS ours`,
      );
      if (rows[0]?.ours && !this.stopping.signal.aborted) await task.run(this.stopping.signal);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
