import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import type pg from 'pg';
import { createApplication, openDatabase } from '../../../src/application.js';
import { EventSequencer } from '../../../src/platform/events/event-sequencer.js';
import { TreeBuilder } from '../../../src/resources/audit-log/evidence/tree/tree-builder.js';
import { type TestService } from '../../support/service/service.js';
import { TcpProxy } from '../../support/servers/tcp-proxy.js';

/**
 * An instance whose traffic to the database is counted. It has one database connection, so that a statement prepared
 * for one request is also prepared for the next.
 */
export class MeteredInstance {
  private constructor(
    readonly url: string,
    readonly server: Server,
    private readonly proxy: TcpProxy,
    readonly stop: () => Promise<void>,
  ) {}

  static async start(service: TestService): Promise<MeteredInstance> {
    const { proxy, url } = await TcpProxy.start(service.database.serviceUrl);
    const configuration = { ...service.configuration, databasePoolSize: 1 };
    const dataSource = await openDatabase(configuration, url);
    // A new connection would prepare all statements again.
    const { master: pool } = dataSource.driver as unknown as { master: pg.Pool };
    pool.options.idleTimeoutMillis = 0;
    const app = await createApplication(configuration, dataSource);
    await app.listen(0, '127.0.0.1');
    // Work in the background would be counted, too.
    for (const task of [EventSequencer, TreeBuilder]) await app.get(task).beforeApplicationShutdown();
    const server = app.getHttpServer();
    const { port } = server.address() as AddressInfo;
    return new MeteredInstance(`http://127.0.0.1:${port}`, server, proxy, async () => {
      await app.close();
      await dataSource.destroy();
      await proxy.stop();
    });
  }

  /** Runs `work` and counts the bytes that it sends to the database. Nothing else may use the instance meanwhile. */
  async measure<T>(work: () => Promise<T>): Promise<{ result: T; bytes: number }> {
    const before = this.proxy.received;
    const result = await work();
    return { result, bytes: this.proxy.received - before };
  }
}
