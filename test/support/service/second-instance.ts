import { type AddressInfo } from 'node:net';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type DataSource } from 'typeorm';
import { createApplication, openDatabase } from '../../../src/application.js';
import { type Configuration } from '../../../src/platform/config/configuration.js';
import { type Log } from '../../../src/platform/logging/log.js';
import { type Actor } from '../actor.js';
import { type TestService } from './service.js';
import { TestTenant } from '../tenant.js';

export interface InstanceOptions {
  /** Settings that differ from those of the first instance. */
  readonly configuration?: Partial<Configuration>;
  readonly log?: Log;
  /** URL of the service role; by default that of the first instance. */
  readonly serviceUrl?: string;
}

/** Another instance of the application on the same database, with its own caches. */
export class SecondInstance {
  private constructor(
    private readonly service: TestService,
    readonly app: NestExpressApplication,
    private readonly dataSource: DataSource,
  ) {}

  static async start(
    service: TestService,
    { configuration = {}, log, serviceUrl = service.database.pooledUrl }: InstanceOptions = {},
  ): Promise<SecondInstance> {
    const settings = { ...service.configuration, ...configuration };
    const dataSource = await openDatabase(settings, serviceUrl);
    const app = await createApplication(settings, dataSource, ...(log ? [log] : [])).catch(
      async (error: unknown) => {
        await dataSource.destroy();
        throw error;
      },
    );
    await app.listen(0, '127.0.0.1');
    return new SecondInstance(service, app, dataSource);
  }

  get url(): string {
    const { port } = this.app.getHttpServer().address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  actor(actor: Actor): Actor {
    const service = Object.create(this.service, { url: { value: this.url } }) as TestService;
    return actor.inTenant(new TestTenant(service, actor.tenant.id, actor.tenant.slug));
  }

  /** Must be called before the first instance stops. */
  async stop(): Promise<void> {
    const closed = this.app.close();
    // A connection of the client that is not idle yet would stay open for the idle time of the server.
    this.app.getHttpServer().closeAllConnections();
    await closed;
    await this.dataSource.destroy();
  }
}
