import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { disableResponseTimeout, handleConnectionLoss } from '../database/connections/connection-loss.js';
import { SHORT_STATEMENT_LIMITS } from '../database/connections/session-limits.js';
import { KEEPALIVE, directClient } from '../database/direct-client.js';
import { Log } from '../logging/log.js';

/** Channel of the notifications: the id of the sending hub, and the ids of the tenants, separated by commas. */
const CHANNEL = 'filing_events';

const RECONNECT_MS = 1000;
const CLOSE_MS = 2000;

type Listener = (tenantId: string) => void;

/**
 * Tells listeners that the event log of a tenant has grown. It may miss what other processes have added while it has
 * no connection, so listeners must also read the log from time to time.
 */
@Injectable()
export class EventHub implements BeforeApplicationShutdown {
  private readonly id = randomUUID();
  private readonly listeners = new Set<Listener>();
  private readonly ownListeners = new Set<Listener>();
  private readonly stopping = new AbortController();
  private listening: Promise<void> | undefined;
  private client: pg.Client | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly log: Log,
  ) {}

  /**
   * The listener is called whichever process has added the events, once even if it is added again. The first one opens
   * the connection.
   */
  onAdvance(listener: Listener): void {
    this.listeners.add(listener);
    this.listening ??= this.listen();
  }

  /** The listener is called for events that this process has added. So one process does work that is due, not all. */
  onOwnAdvance(listener: Listener): void {
    this.ownListeners.add(listener);
  }

  /** Tells the listeners of all processes. Call it after the commit. */
  async announce(tenantIds: readonly string[]): Promise<void> {
    tell([...this.ownListeners, ...this.listeners], tenantIds);
    await this.dataSource.query('SELECT pg_notify($1, $2)', [CHANNEL, [this.id, ...tenantIds].join(',')]);
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
    const client = directClient(this.dataSource, 'events', KEEPALIVE);
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    client.on('notification', ({ payload = '' }) => {
      const [sender, ...tenantIds] = payload.split(',');
      if (sender !== this.id) tell([...this.listeners], tenantIds);
    });
    this.client = client;
    try {
      await client.connect();
      handleConnectionLoss(client, SHORT_STATEMENT_LIMITS.statementMs);
      await client.query(`LISTEN ${CHANNEL}`);
      disableResponseTimeout(client);
      onListening();
      if (!this.stopping.signal.aborted) await ended;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

function tell(listeners: readonly Listener[], tenantIds: readonly string[]): void {
  for (const tenantId of tenantIds) {
    for (const listener of listeners) listener(tenantId);
  }
}
