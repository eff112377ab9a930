import { AsyncLocalStorage } from 'node:async_hooks';
import { type Server } from 'node:http';
import pg from 'pg';
import { createApplication, openDatabase } from '../src/application.js';
import { loadConfiguration } from '../src/config/configuration.js';
import { type Statement, TenantBatch } from '../src/database/tenant-batch.js';
import { ensureServiceRole } from '../src/database/service-role.js';
import { type LoadRequest } from './load.js';

export interface CapturedStatement {
  /** Null for one that is planned each time. */
  readonly name: string | null;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A request with the statements that the service sends for it, without the one that sets the tenant. */
export interface CapturedRequest extends LoadRequest {
  readonly operation: string;
  readonly statements: readonly CapturedStatement[];
}

export function requestKey({ method, path, body }: LoadRequest): string {
  return body === undefined ? `${method} ${path}` : `${method} ${path} ${body}`;
}

/**
 * The statements of the service, as it sends them: the application is run in this process, asked each request, and
 * watched at the one place where statements pass. So the peers run the same SQL, whatever it becomes.
 */
export async function captureStatements(
  ownerUrl: string,
  environment: Readonly<Record<string, string>>,
  authorization: string,
  requests: readonly (LoadRequest & { readonly operation: string })[],
): Promise<CapturedRequest[]> {
  const configuration = loadConfiguration({
    ...environment,
    PORT: '3000',
    LOG_LEVEL: 'warn',
    DATABASE_URL: ownerUrl,
  });
  const dataSource = await openDatabase(configuration, await ensureServiceRole(ownerUrl));
  const app = await createApplication(configuration, dataSource);
  const seen: Statement[] = [];
  // What the service does by itself meanwhile is no part of any request.
  const answering = new AsyncLocalStorage<true>();
  const unwatch = watchBatches((statements) => {
    if (answering.getStore()) seen.push(...statements);
  });
  wrapRequests(app.getHttpServer(), (answer) => answering.run(true, answer));
  try {
    await app.listen(0, '127.0.0.1');
    const captured: CapturedRequest[] = [];
    for (const request of requests) {
      // Twice: the first finds out who the caller is.
      for (const _ of [1, 2]) {
        seen.length = 0;
        const response = await fetch(`${await app.getUrl()}${request.path}`, {
          method: request.method,
          headers: { Authorization: authorization, 'Content-Type': 'application/json' },
          body: request.body ?? null,
        });
        if (!response.ok) throw new Error(`${request.path}: ${response.status} ${await response.text()}`);
        await response.arrayBuffer();
      }
      captured.push({ ...request, statements: seen.filter(isNoSetting).map(capturedStatement) });
    }
    return captured;
  } finally {
    unwatch();
    await app.close();
    await dataSource.destroy();
  }
}

function wrapRequests(server: Server, around: (answer: () => void) => void): void {
  const listeners = server.listeners('request') as ((...args: unknown[]) => void)[];
  server.removeAllListeners('request');
  server.on('request', (...args) => around(() => listeners.forEach((listener) => listener(...args))));
}

function watchBatches(onBatch: (statements: readonly Statement[]) => void): () => void {
  const prototype = pg.Client.prototype as unknown as {
    query: (this: unknown, ...args: unknown[]) => unknown;
  };
  const { query } = prototype;
  prototype.query = function (...args) {
    const [first] = args;
    if (first instanceof TenantBatch) onBatch((first as unknown as { statements: Statement[] }).statements);
    return query.apply(this, args);
  };
  return () => {
    prototype.query = query;
  };
}

function isNoSetting({ text }: Statement): boolean {
  return !text.includes('set_config');
}

function capturedStatement({ text, values = [], planEachTime }: Statement, index: number): CapturedStatement {
  return { name: planEachTime ? null : `captured-${index}-${hashOf(text)}`, text, values };
}

function hashOf(text: string): string {
  let hash = 0;
  for (let i = 0; i < text.length; i += 1) hash = (hash * 31 + text.charCodeAt(i)) | 0;
  return (hash >>> 0).toString(36);
}
