import { type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type pg from 'pg';
import { type DataSource } from 'typeorm';
import { type LogWriter } from '../logging/log.js';
import { directClient, tryLock } from './direct-client.js';

interface ScheduledTask {
  /** Name in the log: `sweep the content store`. */
  readonly name: string;
  /** Key of an advisory lock: only the instance that holds the lock runs the task. */
  readonly lock: number;
  readonly everyMs: number;
  /** Must end soon after the signal is aborted. The next run does the rest. */
  run(signal: AbortSignal): Promise<void>;
}

interface Locks {
  readonly client: pg.Client;
  /** The last statement: pg sends one after another. */
  last: Promise<unknown>;
  /** Number of running tasks. */
  tasks: number;
}

/**
 * Runs tasks at start and then at intervals. Only one instance at a time runs a task. A failed run is logged; the
 * next run tries again. Tasks only clean up: results must be correct even when a task never runs.
 */
export class ScheduledTasks implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly tasks: ScheduledTask[] = [];
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly running = new Map<ScheduledTask, Promise<void>>();
  private readonly stopping = new AbortController();
  private locks: Locks | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly log: Pick<LogWriter, 'error'>,
    /** False in a process that runs no jobs: another one runs the tasks. */
    private readonly enabled = true,
  ) {}

  /** Must be called before the application starts. */
  add(task: ScheduledTask): void {
    this.tasks.push(task);
  }

  onApplicationBootstrap(): void {
    if (!this.enabled) return;
    for (const task of this.tasks) {
      this.start(task);
      this.timers.push(setInterval(() => this.start(task), task.everyMs).unref());
    }
  }

  /** Waits for running tasks, because the pool closes next. */
  async beforeApplicationShutdown(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    this.stopping.abort();
    await this.waitForRunning();
  }

  /** Resolves when the tasks that are running now have ended, successfully or not. */
  async waitForRunning(): Promise<void> {
    await Promise.all(this.running.values());
  }

  private start(task: ScheduledTask): void {
    if (this.running.has(task)) return;
    const run = this.runWithLock(task)
      .catch((err: unknown) => {
        if (!this.stopping.signal.aborted) this.log.error({ err, task: task.name }, 'scheduled task failed');
      })
      .finally(() => this.running.delete(task));
    this.running.set(task, run);
  }

  private async runWithLock(task: ScheduledTask): Promise<void> {
    const locks = (this.locks ??= this.openLocks());
    locks.tasks += 1;
    try {
      const answer = locks.last.then(() => tryLock(locks.client, task.lock));
      locks.last = answer;
      if ((await answer) && !this.stopping.signal.aborted) await task.run(this.stopping.signal);
    } finally {
      locks.tasks -= 1;
      if (locks.tasks === 0) {
        if (this.locks === locks) this.locks = undefined;
        await locks.client.end().catch(() => undefined);
      }
    }
  }

  /** Holds the locks of all running tasks in one transaction. Those of tasks that have ended are released with the last one. */
  private openLocks(): Locks {
    const client = directClient(this.dataSource, 'task');
    // The tasks work on other connections, so this transaction is idle until they end.
    const begin = 'BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0';
    const locks: Locks = { client, last: client.connect().then(() => client.query(begin)), tasks: 0 };
    // After the connection is lost, the next task opens another one.
    client.once('end', () => {
      if (this.locks === locks) this.locks = undefined;
    });
    return locks;
  }
}
