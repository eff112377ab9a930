import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Histogram } from 'prom-client';
import { CONFIGURATION, type Configuration } from '../../../platform/config/configuration.js';
import { EventHub } from '../../../platform/events/event-hub.js';
import { Metrics } from '../../../platform/http/server/metrics.js';
import { Log } from '../../../platform/logging/log.js';
import { WebhookClient } from '../sending/webhook-client.js';
import {
  type Attempt,
  DeliveryRound,
  MAX_IN_FLIGHT_PER_TENANT,
  type Outcome,
  type Slots,
} from './delivery-round.js';
import { WebhookWorkRepository } from './webhook-work.repository.js';

/** Requests in flight of one instance. At most half of them go to failing webhooks, which may take 15 s each. */
const MAX_IN_FLIGHT = 100;
const MAX_FAILING = 50;
/** Transactions at the same time. */
const CONCURRENT_ROUNDS = 4;

/** In milliseconds. */
const DELAYS = {
  /** For due deliveries, and for events that a process without jobs has added. */
  poll: 1000,
  distributedPoll: 5000,
  /** Time for further events to join one query. */
  collect: 20,
  /** Pause of a tenant after an error: the database may be unavailable. */
  retry: 1000,
};

interface TenantWork {
  /** Whether a round is running. */
  isRunning: boolean;
  /** Not yet stored. */
  outcomes: Outcome[];
  inFlight: number;
}

/**
 * Sends the due deliveries of all tenants (docs/adr/0041). Any number of instances share the work: a claim in the
 * database belongs to one of them, and ends when it does not store an outcome.
 */
@Injectable()
export class DeliveryEngine implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly attempts = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Time of an attempt to deliver an event to a webhook, by outcome: Delivered, or lastError of the API',
    labelNames: ['outcome'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15],
    registers: [],
  });
  private readonly tenants = new Map<string, TenantWork>();
  /** Tenants whose round is to run, in this order. */
  private readonly waiting = new Set<string>();
  private readonly advanced = new Set<string>();
  /** Tenants that the rate limit delays, with the end of the delay. They use no slots until then. */
  private readonly delayed = new Map<string, Promise<void>>();
  private readonly sending = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  /** Aborted when requests in flight must end. */
  private readonly interrupted = new AbortController();
  private readonly rounds = new Set<Promise<void>>();
  /** Slots of requests in flight, and of rounds that may start some. */
  private used = { all: 0, failing: 0 };
  private failure: unknown;
  private poll?: NodeJS.Timeout;
  private polling: Promise<void> | undefined;
  private collecting?: NodeJS.Timeout;

  constructor(
    private readonly round: DeliveryRound,
    private readonly work: WebhookWorkRepository,
    private readonly client: WebhookClient,
    private readonly hub: EventHub,
    private readonly log: Log,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    metrics: Metrics,
  ) {
    metrics.registry.registerMetric(this.attempts);
    this.attempts.zero({ outcome: 'Delivered' });
  }

  onApplicationBootstrap(): void {
    // A process that runs no jobs sends nothing.
    if (this.configuration.workerConcurrency === 0) return;
    // What other processes have added, they also send. The poll finds it if they do not.
    this.hub.onOwnAdvance((tenantId) => {
      if (this.stopping.signal.aborted) return;
      this.advanced.add(tenantId);
      this.collecting ??= setTimeout(() => {
        this.collecting = undefined;
        void this.findDue([...this.advanced.keys()]);
        this.advanced.clear();
      }, DELAYS.collect).unref();
    });
    const interval = this.work.isDistributed ? DELAYS.distributedPoll : DELAYS.poll;
    this.poll = setInterval(() => {
      this.polling ??= this.findDue(null).finally(() => (this.polling = undefined));
    }, interval).unref();
  }

  /** Requests in flight finish, or end after the timeout; another instance then repeats them at once. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.poll);
    clearTimeout(this.collecting);
    this.stopping.abort();
    await this.polling;
    await Promise.all(this.rounds);
    const timer = setTimeout(() => this.interrupted.abort(), this.configuration.shutdownTimeout);
    await Promise.all(this.sending);
    clearTimeout(timer);
    for (const [tenantId, { outcomes }] of this.tenants) {
      if (outcomes.length === 0) continue;
      // Without the outcomes, the claims end by themselves, and the deliveries are repeated.
      await this.round
        .run(tenantId, outcomes, { all: 0, failing: 0 })
        .catch((err: unknown) => this.logFailure(err));
    }
  }

  /**
   * Does the due work of one tenant, also where no jobs run. Resolves when nothing is in flight, and rejects with the
   * first error.
   */
  async runTenant(tenantId: string): Promise<void> {
    this.failure = undefined;
    this.start(tenantId);
    while (this.rounds.size + this.sending.size + this.delayed.size > 0) {
      await Promise.race([...this.rounds, ...this.sending, ...this.delayed.values()]);
      if (this.failure !== undefined) throw this.failure as Error;
    }
  }

  private async findDue(among: string[] | null): Promise<void> {
    try {
      for (const tenantId of await this.work.findDueTenants(among)) this.start(tenantId);
    } catch (err) {
      this.logFailure(err);
    }
  }

  private start(tenantId: string): void {
    if (this.delayed.has(tenantId)) return;
    this.waiting.add(tenantId);
    this.startRounds();
  }

  private startRounds(): void {
    for (const tenantId of this.waiting) {
      if (this.rounds.size >= CONCURRENT_ROUNDS) return;
      const tenant = this.tenantOf(tenantId);
      // The end of the round starts the next one.
      if (tenant.isRunning) continue;
      const slots = this.freeSlots();
      if (slots.all === 0 && tenant.outcomes.length === 0) continue;
      this.waiting.delete(tenantId);
      tenant.isRunning = true;
      const round = this.runRound(tenantId, tenant, slots).finally(() => {
        this.rounds.delete(round);
        tenant.isRunning = false;
        if (tenant.inFlight === 0 && tenant.outcomes.length === 0) this.tenants.delete(tenantId);
        this.startRounds();
      });
      this.rounds.add(round);
    }
  }

  private async runRound(tenantId: string, tenant: TenantWork, slots: Slots): Promise<void> {
    const outcomes = tenant.outcomes.splice(0);
    this.use(slots, 1);
    try {
      const { attempts, disabled, delayMs } = await this.round.run(tenantId, outcomes, slots);
      this.use(slots, -1);
      for (const { webhookId, reason } of disabled)
        this.log.warn({ tenantId, webhookId, reason }, 'webhook disabled');
      if (delayMs > 0) this.delay(tenantId, delayMs);
      for (const attempt of attempts) this.send(attempt, tenant);
    } catch (err) {
      this.use(slots, -1);
      this.logFailure(err);
      tenant.outcomes.unshift(...outcomes);
      await sleep(DELAYS.retry, undefined, { signal: this.stopping.signal, ref: false }).catch(
        () => undefined,
      );
      if (outcomes.length > 0 && !this.stopping.signal.aborted) this.waiting.add(tenantId);
    }
  }

  /** Also stores the outcomes until then together. */
  private delay(tenantId: string, delayMs: number): void {
    const ended = sleep(delayMs, undefined, { signal: this.stopping.signal, ref: false })
      .catch(() => undefined)
      .then(() => {
        this.delayed.delete(tenantId);
        if (!this.stopping.signal.aborted) this.start(tenantId);
      });
    this.waiting.delete(tenantId);
    this.delayed.set(tenantId, ended);
  }

  /** Divides the free slots among the waiting tenants, at least one for each while there is one. */
  private freeSlots(): Slots {
    const free = MAX_IN_FLIGHT - this.used.all;
    const share = Math.max(1, Math.floor(free / Math.max(1, this.waiting.size)));
    return {
      all: Math.min(free, share, MAX_IN_FLIGHT_PER_TENANT),
      failing: Math.max(0, Math.min(MAX_FAILING - this.used.failing, share, MAX_IN_FLIGHT_PER_TENANT)),
    };
  }

  private use({ all, failing }: Slots, times: 1 | -1): void {
    this.used.all += all * times;
    this.used.failing += failing * times;
  }

  private send(attempt: Attempt, tenant: TenantWork): void {
    if (this.stopping.signal.aborted) {
      tenant.outcomes.push({ attempt, result: null });
      return;
    }
    const slot = { all: 1, failing: attempt.isFailing ? 1 : 0 };
    tenant.inFlight += 1;
    this.use(slot, 1);
    const sent = this.client.send(attempt.request, this.interrupted.signal).then((result) => {
      const isInterrupted = result.error === 'Timeout' && this.interrupted.signal.aborted;
      if (!isInterrupted)
        this.attempts.observe({ outcome: result.error ?? 'Delivered' }, result.durationMs / 1000);
      tenant.outcomes.push({ attempt, result: isInterrupted ? null : result });
      tenant.inFlight -= 1;
      this.use(slot, -1);
      this.sending.delete(sent);
      if (!this.stopping.signal.aborted) this.start(attempt.tenantId);
    });
    this.sending.add(sent);
  }

  private tenantOf(tenantId: string): TenantWork {
    let tenant = this.tenants.get(tenantId);
    if (!tenant) this.tenants.set(tenantId, (tenant = { isRunning: false, outcomes: [], inFlight: 0 }));
    return tenant;
  }

  private logFailure(err: unknown): void {
    this.failure = err;
    if (!this.stopping.signal.aborted)
      this.log.lastingError({ err }, 'webhook deliveries are delayed; trying again');
  }
}
