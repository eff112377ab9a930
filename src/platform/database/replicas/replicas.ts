import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIGURATION, type Configuration } from '../../config/configuration.js';
import { Log } from '../../logging/log.js';
import { poolOf } from '../connections/pool-of.js';
import { directUrlOf } from '../data-source.js';
import { type RoundTrip } from '../transactions/tenant-transaction.js';
import { type Statement } from '../transactions/tenant-batch.js';
import { type TenantContext } from '../transactions/tenant-context.js';
import { type ReplayPosition, PrimaryPosition } from './primary-position.js';
import { type ConnectionOptions, Replica } from './replica.js';
import { ReplicaMetrics } from './replica-metrics.js';
import { type Unfit, answerOf, replicaBatch } from './replica-statements.js';
import { replicaName, serviceUrlOn } from './replica-url.js';

/** Why the primary answers a request. */
type Reason = Unfit | 'unavailable' | 'position' | 'busy' | 'failed' | 'access-changed';

/** Internal: the rows of a replica cannot be used. */
class Unusable extends Error {
  constructor(readonly reason: Reason) {
    super(reason);
  }
}

/**
 * The read replicas of the database (docs/adr/0038). A replica answers a request only if it has replayed everything that
 * the primary had written when the request began, and if the tenant's access version in the same snapshot is that of the
 * caller's rights. In all other cases the primary answers.
 */
@Injectable()
export class Replicas implements OnApplicationShutdown {
  readonly metrics: ReplicaMetrics;
  private readonly replicas: readonly Replica[];
  private readonly position: PrimaryPosition;
  private last = 0;

  constructor(
    @Inject(CONFIGURATION) { databaseReplicaUrls, databasePoolSize }: Configuration,
    dataSource: DataSource,
    log: Log,
  ) {
    const { extra, applicationName } = dataSource.options as {
      extra: ConnectionOptions;
      applicationName: string;
    };
    this.position = new PrimaryPosition(poolOf(dataSource), extra.types);
    this.replicas = databaseReplicaUrls.map((replicaUrl) => {
      const connectionString = serviceUrlOn(replicaUrl, directUrlOf(dataSource));
      const options = { ...extra, connectionString, application_name: applicationName };
      return new Replica(replicaName(replicaUrl), options, databasePoolSize, this.position, log);
    });
    this.metrics = new ReplicaMetrics(() => this.replicas.map(({ figures }) => figures));
  }

  get areUsed(): boolean {
    return this.replicas.length > 0;
  }

  /**
   * Runs `work` on a replica. All its round trips go to the same one. Returns null if the primary must answer.
   *
   * @param settings statements that set the tenant; the last one returns `accessVersion`
   * @throws what `work` throws by itself
   */
  async read<T>(
    context: TenantContext,
    settings: readonly Statement[],
    work: (roundTrip: RoundTrip) => Promise<T>,
  ): Promise<{ value: T } | null> {
    const replica = this.nextUsable();
    if (!replica) return this.sendBack('unavailable');
    const position = await this.position.read().catch(() => undefined);
    if (!position) return this.sendBack('position');
    let unusable: Unusable | undefined;
    const answer = work(async (statements) => {
      try {
        return await this.roundTrip(replica, context, position, settings, statements);
      } catch (error) {
        if (error instanceof Unusable) unusable = error;
        throw error;
      }
    });
    // A problem that `work` throws, such as 404, is an answer as well.
    await answer.catch(() => undefined);
    if (unusable) return this.sendBack(unusable.reason);
    replica.succeeded();
    this.metrics.answered.labels(replica.name).inc();
    return { value: await answer };
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.close()));
  }

  private nextUsable(): Replica | undefined {
    for (let i = 1; i <= this.replicas.length; i += 1) {
      const index = (this.last + i) % this.replicas.length;
      const replica = this.replicas[index];
      if (!replica?.isUsable) continue;
      this.last = index;
      return replica;
    }
    return undefined;
  }

  private sendBack(reason: Reason): null {
    this.metrics.sentBack.labels(reason).inc();
    return null;
  }

  private async roundTrip(
    replica: Replica,
    context: TenantContext,
    position: ReplayPosition,
    settings: readonly Statement[],
    statements: readonly Statement[],
  ): ReturnType<RoundTrip> {
    const batch = replicaBatch(position, settings, statements);
    const rows = await replica.roundTrip(context, batch).catch((error: unknown) => {
      throw new Unusable(replica.failed(error));
    });
    const answer = answerOf(rows, position, settings.length);
    if (answer.unfit) {
      replica.isUnfit(answer.unfit);
      throw new Unusable(answer.unfit);
    }
    if (context.accessVersion !== null && context.accessVersion !== answer.accessVersion)
      throw new Unusable('access-changed');
    context.confirm?.();
    return answer.rows;
  }
}
