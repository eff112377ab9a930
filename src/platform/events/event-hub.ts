import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { disableResponseTimeout, handleConnectionLoss } from '../database/connections/connection-loss.js';
import { SHORT_STATEMENT_LIMITS, limitOptions } from '../database/connections/session-limits.js';
import { directUrlOf } from '../database/data-source.js';
import { Log } from '../logging/log.js';

/** Channel of the notifications that the sequencer sends after a pass: ids of tenants, separated by commas. */
export const EVENT_CHANNEL = 'filing_events';

const RECONNECT_MS = 1000;
const KEEPALIVE_DELAY_MS = 15_000;
const CLOSE_MS = 2000;

type Listener = (tenantId: string) => void;

/**
 * Tells listeners in this process that the event log of a tenant has grown, whichever process has written it. It may
 * miss events while it has no connection, so listeners must also read the log from time to time.
 */
@Injectable()
export class EventHub implements BeforeApplicationShutdown {
  private readonly listeners = new Set<Listener>();
  private readonly stopping = new AbortController();
  private listening: Promise<void> | undefined;
  private client: pg.Client | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly log: Log,
  ) {}

  /** Returns the function that removes the listener. The first listener opens the connection. */
  onAdvance(listener: Listener): () => void {
    this.listeners.add(listener);
    this.listening ??= this.listen();
    return () => this.listeners.delete(listener);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    void this.client?.end().catch(() => undefined);
    // With a time limit, because closing a connection to an unreachable server takes 15 minutes (TCP timeout).
    await Promise.race([this.listening, sleep(CLOSE_MS, undefined, { ref: false })]);
  }

  private async listen(): Promise<void> {
    const { signal } = this.stopping;
    let isLogged = false;
    while (!signal.aborted) {
      try {
        await this.connect(() => (isLogged = false));
      } catch (err) {
        if (!isLogged && !signal.aborted)
          this.log.warn({ err }, 'no notifications of events; the event logs are polled');
        isLogged = true;
      }
      await sleep(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Resolves or rejects when the connection has ended. */
  private async connect(onListening: () => void): Promise<void> {
    const client = new pg.Client({
      connectionString: directUrlOf(this.dataSource),
      application_name: 'filing-service events',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_DELAY_MS,
      options: limitOptions(SHORT_STATEMENT_LIMITS),
    });
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    client.on('error', () => undefined);
    client.on('notification', ({ payload = '' }) => this.tell(payload.split(',')));
    this.client = client;
    try {
      await client.connect();
      handleConnectionLoss(client, SHORT_STATEMENT_LIMITS.statementMs);
      await client.query(`LISTEN ${EVENT_CHANNEL}`);
      disableResponseTimeout(client);
      onListening();
      if (!this.stopping.signal.aborted) await ended;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  private tell(tenantIds: readonly string[]): void {
    for (const tenantId of tenantIds) {
      for (const listener of this.listeners) listener(tenantId);
    }
  }
}
