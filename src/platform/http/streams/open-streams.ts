import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { type Response } from 'express';
import { FairQueue } from '../../../common/fair-queue.js';
import { message } from '../../../common/messages/message.js';
import { unavailable } from '../../../common/problem.js';
import { CONFIGURATION, type Configuration } from '../../config/configuration.js';
import { type TenantTransaction } from '../../database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../database/transactions/unit-of-work.js';
import { Log } from '../../logging/log.js';
import { AccessDirectory, serviceContext } from '../../tenancy/access/access.directory.js';
import { holds } from '../pipeline/permission.guard.js';
import { type FilingRequest, ownerOf } from '../pipeline/request-state.js';
import { Metrics } from '../server/metrics.js';
import { EventStream, type StreamEnd } from './event-stream.js';
import { StreamSlots } from './stream-slots.js';

const TICK_MS = 1000;

/** Nothing is sent to the readers of a tenant whose rights were checked longer ago. */
const RIGHTS_VALID_MS = 2000;

/** Maximum number of connections that all streams use at the same time, and share of the pool. One tenant uses one. */
const READS = { max: 4, share: 0.25 };

/** Where the messages of a stream come from. */
export interface StreamSource {
  /** Called every second for each tenant with streams of this source, right after the rights were checked. */
  poll(tenantId: string): Promise<void>;
}

interface TenantStreams {
  readonly streams: Map<EventStream, StreamSource>;
  /** When the rights of all readers were last checked. Each stream has just been checked when it opens. */
  checkedAt: number;
  isPolling: boolean;
}

/**
 * The open streams of this process: limits, rights, comment lines, shutdown. Rights of all readers of a tenant are
 * read with one query every second.
 */
@Injectable()
export class OpenStreams implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly tenants = new Map<string, TenantStreams>();
  private readonly reads: FairQueue;
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly slots: StreamSlots,
    private readonly directory: AccessDirectory,
    private readonly uow: UnitOfWork,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {
    const total = Math.max(1, Math.min(READS.max, Math.floor(configuration.databasePoolSize * READS.share)));
    this.reads = new FairQueue({ total, tenant: 1, caller: 1 }, () => configuration.databaseAcquireTimeout);
  }

  /** Not started by a request, so that its queries do not become part of the trace of that request. */
  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.tick(), TICK_MS).unref();
  }

  beforeApplicationShutdown(): void {
    this.stop();
  }

  /** Ends all streams, so that their clients connect to another instance. Further ones are refused. */
  stop(): void {
    this.isStopping = true;
    clearInterval(this.timer);
    for (const { streams } of this.tenants.values())
      for (const stream of streams.keys()) stream.end('stopping');
  }

  /**
   * Answers a request with a stream.
   *
   * @param prepare Checks the request, and connects the stream to its source; returns the lines before the first
   *   message. What the stream sends from now on follows these lines.
   */
  async open(
    request: FilingRequest,
    response: Response,
    source: StreamSource,
    prepare: (stream: EventStream) => Promise<string>,
  ): Promise<void> {
    const { caller, endpoint, identity, tryCharge } = request.state;
    if (!caller || !endpoint || !identity || !tryCharge) throw new Error('A stream needs a caller');
    this.refuseWhenStopping();
    const release = await this.slots.take(ownerOf(request));
    const stream = new EventStream({
      response,
      caller,
      endpoint,
      tokenExpiresAt: identity.expiresAt,
      idleTimeoutMs: this.configuration.uploadIdleTimeout,
      pay: tryCharge,
    });
    stream.onEnd(release);
    try {
      if (!caller.confirmed) await caller.revalidate();
      const first = await prepare(stream);
      this.refuseWhenStopping();
      if (response.destroyed) stream.end('client');
      else if (request.method === 'HEAD') stream.openWithoutBody();
      else this.start(stream, source, request, first);
    } catch (error) {
      stream.end('client');
      throw error;
    }
  }

  /** Whether the rights of the tenant's readers were checked just now, so that messages may be sent to them. */
  isChecked(tenantId: string): boolean {
    const checkedAt = this.tenants.get(tenantId)?.checkedAt ?? 0;
    return performance.now() - checkedAt < RIGHTS_VALID_MS;
  }

  /** Reads for the streams of a tenant. All streams together use few connections, those of one tenant a single one. */
  async read<T>(tenantId: string, work: (tx: TenantTransaction) => Promise<T>): Promise<T> {
    const release = await this.reads.acquire({ tenant: tenantId, caller: tenantId });
    try {
      return await this.uow.read(serviceContext(tenantId), work);
    } finally {
      release();
    }
  }

  private refuseWhenStopping(): void {
    if (this.isStopping) throw unavailable(1, { detail: message('service.stopping') });
  }

  private start(stream: EventStream, source: StreamSource, { state }: FilingRequest, first: string): void {
    const { tenantId } = stream.caller;
    const { operation } = stream.endpoint;
    let tenant = this.tenants.get(tenantId);
    if (!tenant) {
      tenant = { streams: new Map(), checkedAt: performance.now(), isPolling: false };
      this.tenants.set(tenantId, tenant);
    }
    const { streams } = tenant;
    streams.set(stream, source);
    this.metrics.openStreams.inc({ operation });
    stream.onEnd((reason: StreamEnd) => {
      streams.delete(stream);
      if (streams.size === 0) this.tenants.delete(tenantId);
      this.metrics.openStreams.dec({ operation });
      this.metrics.endedStreams.inc({ operation, reason });
      const { requestId, user } = state;
      const seconds = Math.round(performance.now() - stream.openedAt) / 1000;
      this.log.info({ requestId, operation, tenantId, userId: user?.id, reason, seconds }, 'stream ended');
    });
    state.isStream = true;
    stream.open(first);
  }

  private tick(): void {
    for (const [tenantId, tenant] of this.tenants) {
      for (const stream of tenant.streams.keys()) stream.tick();
      if (tenant.isPolling || tenant.streams.size === 0) continue;
      tenant.isPolling = true;
      void this.poll(tenantId, tenant).finally(() => (tenant.isPolling = false));
    }
  }

  private async poll(tenantId: string, tenant: TenantStreams): Promise<void> {
    try {
      await this.checkRights(tenantId, tenant);
      const sources = new Set(tenant.streams.values());
      await Promise.all([...sources].map((source) => source.poll(tenantId)));
    } catch (err) {
      // The streams stay open and continue when the database can be read again.
      if (!this.isStopping) this.log.lastingError({ err, tenantId }, 'streams cannot be read; trying again');
    }
  }

  private async checkRights(tenantId: string, tenant: TenantStreams): Promise<void> {
    const streams = [...tenant.streams.keys()];
    const callers = streams.map(({ caller }) => caller);
    const current = await this.read(tenantId, (tx) => {
      tenant.checkedAt = performance.now();
      return this.directory.currentCallers(tx, callers);
    });
    for (const stream of streams) {
      const caller = current.get(stream.caller.user.id);
      if (caller && holds(caller, stream.endpoint)) stream.caller = caller;
      else stream.end('access');
    }
  }
}
