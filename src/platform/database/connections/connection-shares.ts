import type pg from 'pg';
import { FairQueue } from '../../../common/fair-queue.js';
import { type Owner } from '../../../common/shares.js';

interface PooledConnection {
  readonly client: pg.PoolClient;
  /** @param broken Error after which the pool closes the connection instead of reusing it. */
  readonly release: (broken?: Error) => void;
}

/** Limits how many connections of the pool one tenant and one caller can use at the same time. */
export class ConnectionShares {
  private readonly connections: FairQueue;

  constructor(
    private readonly pool: pg.Pool,
    poolSize: number,
  ) {
    this.connections = new FairQueue(
      { total: poolSize, tenant: atLeastOne(poolSize * 0.75), caller: atLeastOne(poolSize / 2) },
      () => this.pool.options.connectionTimeoutMillis ?? 0,
    );
  }

  /**
   * Waits until tenant and caller are below their limits (three quarters of the pool for a tenant, half for a caller),
   * then for a free connection.
   */
  async connect(owner: Owner): Promise<PooledConnection> {
    const releaseShare = await this.connections.acquire(owner);
    try {
      const client = await this.pool.connect();
      return {
        client,
        release: (broken) => {
          client.release(broken);
          releaseShare();
        },
      };
    } catch (error) {
      releaseShare();
      throw error;
    }
  }
}

function atLeastOne(share: number): number {
  return Math.max(1, Math.floor(share));
}
