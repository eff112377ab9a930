import { AsyncLocalStorage } from 'node:async_hooks';
import { type NestExpressApplication } from '@nestjs/platform-express';
import pg from 'pg';
import { type DataSource } from 'typeorm';
import { createApplication, openDatabase } from '../src/application.js';
import { loadConfiguration } from '../src/platform/config/configuration.js';
import { type Statement, TenantBatch } from '../src/platform/database/transactions/tenant-batch.js';
import { ensureServiceRole } from '../src/platform/database/service-role/derived-service-role.js';
import { CursorCodec } from '../src/platform/database/paging/cursor-codec.js';
import { type CapturedRequest, capturedStatement } from './captured.js';
import { UNLIMITED_REQUESTS } from './environment.js';
import { type LoadRequest, fetchOnce } from './load.js';

/**
 * The application in this process; captures the SQL statements of requests. The peers run the same SQL, and the plans
 * of the same SQL are shown, also after changes of the service. It measures nothing.
 */
export class CapturingApplication {
  private readonly captured: Statement[] = [];
  // Distinguishes statements of requests from those of background tasks.
  private readonly requestContext = new AsyncLocalStorage<true>();

  private constructor(
    private readonly app: NestExpressApplication,
    private readonly dataSource: DataSource,
    private readonly origin: string,
  ) {}

  /** @param environment settings of the service */
  static async start(environment: Readonly<Record<string, string>>): Promise<CapturingApplication> {
    const configuration = loadConfiguration({
      ...{ ...environment, ...UNLIMITED_REQUESTS },
      ...{ NODE_ENV: 'production', PORT: '3000', LOG_LEVEL: 'warn' },
    });
    const serviceUrl = await ensureServiceRole(environment.DATABASE_URL ?? '');
    const dataSource = await openDatabase(configuration, serviceUrl);
    const app = await createApplication(configuration, dataSource);
    await app.listen(0, '127.0.0.1');
    const application = new CapturingApplication(app, dataSource, await app.getUrl());
    application.captureStatements();
    return application;
  }

  private captureStatements(): void {
    const server = this.app.getHttpServer();
    const listeners = server.listeners('request') as ((...args: unknown[]) => void)[];
    server.removeAllListeners('request');
    server.on('request', (...args) =>
      this.requestContext.run(true, () => listeners.forEach((listener) => listener(...args))),
    );
    const prototype = pg.Client.prototype as unknown as {
      query: (this: unknown, ...args: unknown[]) => unknown;
    };
    const { query } = prototype;
    const { requestContext, captured } = this;
    prototype.query = function (...args) {
      const [first] = args;
      if (first instanceof TenantBatch && requestContext.getStore())
        captured.push(...(first as unknown as { statements: readonly Statement[] }).statements);
      return query.apply(this, args);
    };
  }

  async statementsOf(
    operation: string,
    request: LoadRequest,
    headers: Readonly<Record<string, string>>,
  ): Promise<CapturedRequest> {
    // Send it twice: the first request also loads the rights of the caller.
    await this.send(request, headers);
    this.captured.length = 0;
    await this.send(request, headers);
    const statements = this.captured
      .filter(({ text }) => !text.includes('set_config'))
      .map(capturedStatement);
    return { ...request, operation, statements };
  }

  /** A cursor of the list for the page after `position`. */
  async cursorAt(
    request: LoadRequest,
    headers: Readonly<Record<string, string>>,
    position: readonly string[],
  ): Promise<string> {
    const codec = this.app.get(CursorCodec);
    codec.write = (caller, list) => CursorCodec.prototype.write.call(codec, caller, list, position);
    try {
      const { nextCursor } = JSON.parse(await this.send(request, headers)) as { nextCursor: string | null };
      if (nextCursor === null) throw new Error(`${request.path} has only one page`);
      return nextCursor;
    } finally {
      delete (codec as Partial<CursorCodec>).write;
    }
  }

  private async send(request: LoadRequest, headers: Readonly<Record<string, string>>): Promise<string> {
    const response = await fetchOnce(this.origin, headers, request);
    const text = await response.text();
    if (!response.ok) throw new Error(`${request.method} ${request.path}: ${response.status} ${text}`);
    return text;
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.dataSource.destroy();
  }
}
