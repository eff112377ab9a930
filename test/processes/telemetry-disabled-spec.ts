import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OtlpReceiver } from '../support/servers/otlp-receiver.js';
import { ServiceFixture } from '../support/service/service-fixture.js';

describe('OpenTelemetry', () => {
  let fixture: ServiceFixture;
  beforeAll(async () => {
    fixture = await ServiceFixture.prepare();
  });
  afterAll(() => fixture.cleanUp());

  async function run(environment: NodeJS.ProcessEnv): Promise<void> {
    const service = fixture.start('main', environment);
    const response = await fetch(`${await service.url()}/openapi.json`);
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    service.signal('SIGTERM');
    expect(await service.exit).toBe(0);
  }

  it('is not loaded by default, except for its API package', async () => {
    const coverage = path.join(fixture.directory, 'coverage');
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
