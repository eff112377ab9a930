import { randomBytes } from 'node:crypto';
import { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type DataSource } from 'typeorm';
import { createApplication, openDatabase } from '../../../src/application.js';
import { ScheduledTasks } from '../../../src/platform/database/scheduled-tasks.js';
import { TestService } from '../../support/service/service.js';
import { TcpProxy } from '../../support/servers/tcp-proxy.js';

describe('A tenant that the caller has no access to', () => {
  let service: TestService;
  let proxy: TcpProxy;
  let dataSource: DataSource;
  let app: NestExpressApplication;
  let url: string;

  beforeAll(async () => {
    service = await TestService.start();
    const through = await TcpProxy.start(service.database.pooledUrl);
    proxy = through.proxy;
    // One connection, so that a statement prepared for one request is also prepared for the next.
    const configuration = { ...service.configuration, databasePoolSize: 1 };
    dataSource = await openDatabase(configuration, through.url);
    app = await createApplication(configuration, dataSource);
    await app.listen(0, '127.0.0.1');
    // Scheduled tasks would be counted, too.
    await app.get(ScheduledTasks).beforeApplicationShutdown();
    url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  });

  afterAll(async () => {
    await app.close();
    await dataSource.destroy();
    await proxy.stop();
    await service.stop();
  });

  it('returns 403 with the same database traffic as for an unknown tenant', async () => {
    const tenant = await service.tenant();
    const { token } = await tenant.nonMember();
    /** The bytes sent to the database for one request. Equal numbers mean equal statements, and so equal time. */
    const cost = async (slug: string): Promise<number> => {
      const before = proxy.received;
      const headers = { Authorization: `Bearer ${token}` };
      const response = await fetch(`${url}/api/v1/t/${slug}/files`, { headers });
      expect(response.status).toBe(403);
      return proxy.received - before;
    };
    // Has the same length as the slug of a test tenant.
    const unknown = `t-${randomBytes(8).toString('hex')}`;
    await cost(tenant.slug);
    await cost(unknown);
    expect(await cost(unknown)).toBe(await cost(tenant.slug));
  });
});
