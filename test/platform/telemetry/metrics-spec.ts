import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Metrics } from '../../../src/platform/http/server/metrics.js';
import { type Actor } from '../../support/actor.js';
import { OtlpReceiver } from '../../support/otlp-receiver.js';
import { TestService } from '../../support/service.js';

describe('Metrics that are sent to a collector', () => {
  let receiver: OtlpReceiver;
  let service: TestService;
  let admin: Actor;

  beforeAll(async () => {
    receiver = await OtlpReceiver.start();
    service = await TestService.start({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_TRACES_EXPORTER: 'none',
      OTEL_METRIC_EXPORT_INTERVAL: '100',
    });
    admin = await (await service.tenant()).as('administrator');
  });

  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });

  it('are those that Prometheus reads, under the same names', async () => {
    await receiver.received(() => receiver.metrics.size > 0, 'A metric');
    const { registry } = service.app.get(Metrics);
    expect([...receiver.metrics.keys()].sort()).toEqual(
      registry
        .getMetricsAsArray()
        .map(({ name }) => name)
        .sort(),
    );
    expect(receiver.metrics.get('database_pool_connections')).toMatchObject({ kind: 'gauge', unit: '' });
    expect(receiver.metrics.get('process_cpu_seconds_total')).toMatchObject({
      kind: 'sum',
      isMonotonic: true,
      unit: 's',
      resource: { 'service.name': 'filing-service' },
    });
    expect(receiver.requests.every(({ path }) => path === '/v1/metrics')).toBe(true);
  });

  it('count requests in the buckets that their duration is in, not in the ones above', async () => {
    for (let i = 0; i < 3; i += 1) await admin.get('/tags').expect(200);
    const point = await receiver.received(
      () =>
        receiver.metrics
          .get('http_request_duration_seconds')
          ?.points.find(
            ({ attributes, count }) => attributes.operation === 'ListTags' && Number(count) === 3,
          ),
      'The duration of three requests',
    );
    expect(point.attributes).toEqual({ operation: 'ListTags', status: '200' });
    const { bucketCounts = [], explicitBounds = [] } = point;
    expect(bucketCounts).toHaveLength(explicitBounds.length + 1);
    expect(bucketCounts.map(Number).reduce((sum, count) => sum + count)).toBe(3);
    expect(point.sum).toBeGreaterThan(0);
  });

  it('go out once more when the service ends', async () => {
    const beside = await OtlpReceiver.start();
    const other = await TestService.start({
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${beside.url}/v1/metrics`,
      OTEL_METRIC_EXPORT_INTERVAL: '86400000',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    });
    expect(beside.requests).toEqual([]);
    await other.stop();
    await beside.received(() => beside.metrics.has('http_requests_in_flight'), 'What it sends at its end');
    await beside.stop();
  });
});
