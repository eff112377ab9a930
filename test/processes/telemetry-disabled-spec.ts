import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, createTestDatabase } from '../support/database.js';
import { TestIssuer } from '../support/servers/issuer.js';
import { OtlpReceiver } from '../support/servers/otlp-receiver.js';
import { ServiceProcess } from '../support/service/service-process.js';

describe('OpenTelemetry', () => {
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

  async function run(environment: NodeJS.ProcessEnv): Promise<void> {
    const service = new ServiceProcess({
      PORT: '0',
      DATA_DIR: directory,
      ...database.environment,
      OIDC_ISSUER: issuer.url,
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
  }

  it('is not loaded by default, except for its API package', async () => {
    const coverage = path.join(directory, 'coverage');
    await run({ NODE_V8_COVERAGE: coverage });
    // V8's code coverage lists all modules that were loaded.
    const modules: string[] = [];
    for (const name of await readdir(coverage)) {
      const { result } = JSON.parse(await readFile(path.join(coverage, name), 'utf8')) as {
        result: readonly { readonly url: string }[];
      };
      modules.push(...result.map(({ url }) => url));
    }
    expect(modules.some((url) => url.endsWith('/telemetry/start-telemetry.js'))).toBe(true);
    expect(modules.some((url) => url.endsWith('/telemetry/open-telemetry.js'))).toBe(false);
    const packages = modules.map((url) => /node_modules\/@opentelemetry\/([^/]+)/.exec(url)?.[1]);
    // A dependency of prom-client.
    expect(new Set(packages)).toEqual(new Set([undefined, 'api']));
  });

  it('sends the remaining spans to the collector at the end of the process', async () => {
    const receiver = await OtlpReceiver.start();
    await run({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      // So long that no spans are sent before the process ends.
      OTEL_BSP_SCHEDULE_DELAY: '600000',
    });
    expect(receiver.spans.map(({ name }) => name)).toContain('GET /openapi.json');
    await receiver.stop();
  });
});
