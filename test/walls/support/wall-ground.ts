import { type AddressInfo } from 'node:net';
import { createApplication, openDatabase } from '../../../src/application.js';
import { TestService } from '../../support/service.js';
import { SqlRewritingProxy } from './sql-rewriting-proxy.js';
import { type WallGround } from './wall.js';

/** The client gives each request an address of its own (see WallClient). */
const PROXIES = { TRUSTED_PROXIES: '127.0.0.1' };

export async function wallGround(environment: NodeJS.ProcessEnv = {}): Promise<WallGround> {
  const service = await TestService.start({ ...PROXIES, ...environment });
  const server = service.app.getHttpServer();
  return { service, url: service.url, server, stop: () => service.stop() };
}

export interface RewrittenGround extends WallGround {
  readonly proxy: SqlRewritingProxy;
}

/**
 * An instance whose every statement is rewritten on its way to the database, as the role that serves, or as the owner
 * of the tables, who passes row level security by.
 */
export async function rewrittenGround(
  service: TestService,
  role: 'serviceUrl' | 'ownerUrl',
  rewrite: (sql: string) => string,
): Promise<RewrittenGround> {
  const proxy = await SqlRewritingProxy.start(service.database[role], rewrite);
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

export function startWithProxies(): Promise<TestService> {
  return TestService.start(PROXIES);
}

/** The same, with a service that nobody else stops. */
export function withService(ground: WallGround): WallGround {
  const stop = async () => {
    await ground.stop();
    await ground.service.stop();
  };
  return { ...ground, stop };
}
