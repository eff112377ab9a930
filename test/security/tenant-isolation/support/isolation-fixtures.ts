import { type AddressInfo } from 'node:net';
import { createApplication, openDatabase } from '../../../../src/application.js';
import { type Configuration } from '../../../../src/platform/config/configuration.js';
import { pooledUrl } from '../../../support/pooler.js';
import { SecondInstance } from '../../../support/service/second-instance.js';
import { TestService } from '../../../support/service/service.js';
import { SqlRewritingProxy } from './sql-rewriting-proxy.js';
import { type IsolationFixture } from '../../support/isolation-test.js';

/** Trusted as a proxy, because ConformanceClient sends another client address with each request. */
const PROXY = '127.0.0.1';

/** Starts an instance with its own settings on the database that the specs share. */
export async function startIsolationFixture(
  settings: Partial<Configuration> = {},
): Promise<IsolationFixture> {
  const service = await TestService.shared();
  const configuration = { trustedProxies: [PROXY], ...settings };
  const instance = await SecondInstance.start(service, { configuration });
  const server = instance.app.getHttpServer();
  return { service, url: instance.url, server, stop: () => instance.stop() };
}

export interface RewritingFixture extends IsolationFixture {
  readonly proxy: SqlRewritingProxy;
}

/**
 * Starts an instance behind a proxy that rewrites its SQL statements. It connects as the service role, or as the owner
 * of the tables, who bypasses row-level security.
 */
export async function startRewritingFixture(
  service: TestService,
  role: 'serviceUrl' | 'ownerUrl',
  rewrite: (sql: string) => string,
): Promise<RewritingFixture> {
  const proxy = await SqlRewritingProxy.start(pooledUrl(service.database[role]), rewrite);
  const dataSource = await openDatabase(service.configuration, proxy.url);
  const app = await createApplication(service.configuration, dataSource);
  await app.listen(0, '127.0.0.1');
  const server = app.getHttpServer();
  return {
    service,
    proxy,
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      await app.close();
      await dataSource.destroy();
      await proxy.stop();
    },
  };
}

export function startServiceTrustingLoopback(): Promise<TestService> {
  return TestService.start({ TRUSTED_PROXIES: PROXY });
}

/** The same fixture, whose `stop` also stops the service. */
export function withOwnService(fixture: IsolationFixture): IsolationFixture {
  const stop = async () => {
    await fixture.stop();
    await fixture.service.stop();
  };
  return { ...fixture, stop };
}
