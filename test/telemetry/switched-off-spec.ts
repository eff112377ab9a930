import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, createTestDatabase } from '../support/database.js';
import { TestIssuer } from '../support/issuer.js';
import { OtlpReceiver } from '../support/otlp-receiver.js';
import { ServiceProcess } from '../support/service-process.js';

describe('The process', () => {
  let database: TestDatabase;
  let issuer: TestIssuer;
  let directory: string;

  beforeAll(async () => {
    [database, issuer, directory] = await Promise.all([
      createTestDatabase(),
      TestIssuer.start(),
      mkdtemp(path.join(tmpdir(), 'filing-telemetry-')),
    ]);
  });

  afterAll(async () => {
    await issuer.stop();
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  /** Runs the service for one request; gives all modules that it has loaded, as V8 lists them for code coverage. */
  async function modulesOfARun(environment: NodeJS.ProcessEnv): Promise<string[]> {
    const coverage = await mkdtemp(path.join(directory, 'coverage-'));
    const service = new ServiceProcess({
      PORT: '0',
      DATA_DIR: directory,
      DATABASE_URL: database.ownerUrl,
      OIDC_ISSUER: issuer.url,
      NODE_V8_COVERAGE: coverage,
      ...environment,
    });
    try {
      const response = await fetch(`${await service.url()}/openapi.json`);
      expect(response.status).toBe(200);
      await response.arrayBuffer();
      service.signal('SIGTERM');
      expect(await service.exit).toBe(0);
    } finally {
      service.signal('SIGKILL');
    }
    const modules = new Set<string>();
    for (const name of await readdir(coverage)) {
      const { result } = JSON.parse(await readFile(path.join(coverage, name), 'utf8')) as {
        result: readonly { readonly url: string }[];
      };
      for (const { url } of result) modules.add(url);
    }
    return [...modules];
  }

  /** But for its interfaces, which prom-client brings along. */
  const packagesAmong = (modules: readonly string[]) =>
    [...new Set(modules.map((url) => /node_modules\/@opentelemetry\/([^/]+)/.exec(url)?.[1]))].filter(
      (name) => name !== undefined && name !== 'api',
    );

  it('loads nothing of OpenTelemetry by default', async () => {
    const modules = await modulesOfARun({});
    expect(modules.some((url) => url.endsWith('/src/http/request-log.ts'))).toBe(true);
    expect(modules.some((url) => url.includes('open-telemetry'))).toBe(false);
    expect(packagesAmong(modules)).toEqual([]);
  });

  it('loads it where there is a collector, and sends what is left when it ends', async () => {
    const receiver = await OtlpReceiver.start();
    const modules = await modulesOfARun({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      // Nothing goes out by itself while the process lives.
      OTEL_BSP_SCHEDULE_DELAY: '600000',
    });
    expect(packagesAmong(modules)).toEqual(expect.arrayContaining(['sdk-trace-base', 'sdk-metrics']));
    expect(receiver.spans.map(({ name }) => name)).toContain('GET /openapi.json');
    expect(receiver.metrics.has('http_request_duration_seconds')).toBe(true);
    await receiver.stop();
  });
});
