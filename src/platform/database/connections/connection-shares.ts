import type pg from 'pg';
import { FairQueue } from '../../../common/fair-queue.js';
import { type Owner } from '../../../common/shares.js';

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
   * Runs `work` on a connection. Waits until tenant and caller are below their limits (three quarters of the pool for a
   * tenant, half for a caller), then for a free connection.
   *
   * @param afterError Ends what `work` has begun. Returns the error after which the pool closes the connection.
   */
  async use<T>(
    owner: Owner,
    work: (client: pg.PoolClient) => Promise<T>,
    afterError: (client: pg.PoolClient, error: unknown) => Error | Promise<Error | undefined> | undefined,
  ): Promise<T> {
    const releaseShare = await this.connections.acquire(owner);
    try {
      const client = await this.pool.connect();
      let broken: Error | undefined;
      try {
        return await work(client);
      } catch (error) {
        broken = await afterError(client, error);
        throw error;
      } finally {
        client.release(broken);
      }
    } finally {
      releaseShare();
    }
  }
}

function atLeastOne(share: number): number {
  return Math.max(1, Math.floor(share));
}
