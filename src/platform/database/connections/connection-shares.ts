import type pg from 'pg';
import { type DataSource } from 'typeorm';
import { FairQueue } from '../../../common/fair-queue.js';
import { type Owner } from '../../../common/shares.js';

interface PooledConnection {
  readonly client: pg.PoolClient;
  /** @param broken why the connection is not used again */
  readonly release: (broken?: Error) => void;
}

/** The connections of the pool, of which each tenant and each caller has a share. */
export class ConnectionShares {
  private readonly connections: FairQueue;

  constructor(
    private readonly dataSource: DataSource,
    poolSize: number,
  ) {
    this.connections = new FairQueue(
      { total: poolSize, tenant: atLeastOne(poolSize * 0.75), caller: atLeastOne(poolSize / 2) },
      () => this.pool.options.connectionTimeoutMillis ?? 0,
    );
  }

  /** Waits for the caller's share of the pool (three quarters for a tenant, half for a caller), then for a connection. */
  async connect(owner: Owner): Promise<PooledConnection> {
    const giveBack = await this.connections.acquire(owner);
    try {
      const client = await this.pool.connect();
      return {
        client,
        release: (broken) => {
          client.release(broken);
          giveBack();
        },
      };
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  private get pool(): pg.Pool {
    return (this.dataSource.driver as unknown as { master: pg.Pool }).master;
  }
}

/** The whole part of a share of connections. */
function atLeastOne(share: number): number {
  return Math.max(1, Math.floor(share));
}
