import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Actor } from '../../support/actor.js';
import { OtlpReceiver, type ReceivedSpan } from '../../support/servers/otlp-receiver.js';
import { waitUntilProcessed } from '../../support/wait-until-processed.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';

/** A caller's trace: its id and the header field `traceparent`. */
function callersTrace(sampled = true) {
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${sampled ? '01' : '00'}` };
}

/** Sets the tenant and reads its access version, on one PostgreSQL or on Citus. */
const ENTER = '(SELECT tenants|(SET; ){3,4}SELECT access_versions)';

describe('Traces', () => {
  const written: string[] = [];
  let receiver: OtlpReceiver;
  let service: TestService;
  let tenant: TestTenant;
  let admin: Actor;
  let fileTypeId: string;

  const lines = () => written.map((line) => JSON.parse(line) as Record<string, unknown>);
  const spansOf = (traceId: string) => receiver.spans.filter((span) => span.traceId === traceId);
  /** Waits for the span of a request. Its child spans end earlier, so they have been received, too. */
  const requestSpan = (traceId: string): Promise<ReceivedSpan> =>
    receiver.waitForSpan(
      () => spansOf(traceId).find(({ kind }) => kind === 'SERVER'),
      `The request of trace ${traceId}`,
    );
  const childrenOf = ({ traceId, spanId }: ReceivedSpan) =>
    spansOf(traceId)
      .filter(({ parentSpanId }) => parentSpanId === spanId)
      .sort((a, b) => Number(a.startTimeUnixNano - b.startTimeUnixNano));

  beforeAll(async () => {
    process.env.OTEL_BSP_SCHEDULE_DELAY = '50';
    process.env.OTEL_RESOURCE_ATTRIBUTES = 'deployment.environment.name=test';
    receiver = await OtlpReceiver.start();
    service = await TestService.start(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        LOG_LEVEL: 'info',
        LOG_FORMAT: 'json',
      },
      undefined,
      written,
    );
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
    const type = await admin.post('/file-types', { key: 'traced', nameDe: 'Verfolgt', nameEn: 'Traced' });
    fileTypeId = (type.body as { id: string }).id;
  });

  afterAll(async () => {
    await service.stop();
    await receiver.stop();
    delete process.env.OTEL_BSP_SCHEDULE_DELAY;
    delete process.env.OTEL_RESOURCE_ATTRIBUTES;
  });

  it('have a span for each request, with method, route, operation, tenant and user', async () => {
    const { traceId, spanId, traceparent } = callersTrace();
    const response = await admin.get('/files?limit=5').set('traceparent', traceparent);
    const span = await requestSpan(traceId);
    expect(span).toMatchObject({
      name: 'GET /api/v1/t/{tenant}/files',
      kind: 'SERVER',
      parentSpanId: spanId,
      status: { code: 0 },
    });
    expect(span.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/api/v1/t/{tenant}/files',
      'http.response.status_code': 200,
      'network.protocol.version': '1.1',
      'url.scheme': 'http',
      'filing.operation': 'ListFiles',
      'filing.request.id': response.headers['x-request-id'],
      'filing.tenant.id': tenant.id,
      'user.id': admin.userId,
    });
    expect(span.resource).toMatchObject({
      'service.name': 'filing-service',
      'service.instance.id': expect.any(String),
      'deployment.environment.name': 'test',
    });
  });

  /** An administrator whose rights are cached, so that only the request itself uses the database. */
  const known = async (): Promise<Actor> => {
    const actor = await tenant.as('administrator');
    await actor.get('/me').expect(200);
    return actor;
  };

  it('have a child span for each database round trip', async () => {
    const { traceId, traceparent } = callersTrace();
    const caller = await known();
    await caller.post('/tags', { name: 'Traced' }).set('traceparent', traceparent).expect(201);
    const request = await requestSpan(traceId);
    const trips = childrenOf(request);
    expect(trips.map(({ name }) => name)).toEqual([
      expect.stringMatching(`^BEGIN; ${ENTER}; (INSERT tags|SELECT)`),
      ...trips.slice(1, -1).map(({ name }) => name),
      expect.stringMatching(
        /^INSERT audit_entries (event_queue|access_versions; INSERT event_queue access_versions); COMMIT$/,
      ),
    ]);
    const { port } = new URL(service.database.pooledUrl);
    expect(trips.at(-1)).toMatchObject({ kind: 'CLIENT', status: { code: 0 } });
    expect(trips.at(-1)?.attributes).toEqual({
      'db.system.name': 'postgresql',
      'db.namespace': new URL(service.database.serviceUrl).pathname.slice(1),
      'db.operation.name': 'BATCH',
      'db.operation.batch.size': trips.at(-1)?.name.includes('access_versions') ? 3 : 2,
      'db.query.summary': trips.at(-1)?.name,
      'server.address': expect.any(String),
      'server.port': Number(port),
    });
    for (const { startTimeUnixNano, endTimeUnixNano } of trips) {
      expect(startTimeUnixNano >= request.startTimeUnixNano).toBe(true);
      // Start times have whole milliseconds; end times are more precise.
      expect(endTimeUnixNano <= request.endTimeUnixNano + 1_000_000n).toBe(true);
    }
  });

  it('separate concurrent requests', async () => {
    const traces = Array.from({ length: 20 }, () => callersTrace());
    const caller = await known();
    await Promise.all(
      traces.map(({ traceparent }, index) =>
        (index % 2 === 0 ? caller.get('/files') : caller.get('/tags')).set('traceparent', traceparent),
      ),
    );
    for (const [index, { traceId }] of traces.entries()) {
      const request = await requestSpan(traceId);
      const summaries = childrenOf(request).map(({ name }) => name);
      expect(summaries).toEqual([
        expect.stringMatching(
          `^(BEGIN; )?${ENTER}; SELECT ${index % 2 === 0 ? 'files' : 'tags'}(; COMMIT)?$`,
        ),
      ]);
      expect(spansOf(traceId)).toHaveLength(2);
    }
  });

  it('continue in the job that a request has queued', async () => {
    const { traceId, traceparent } = callersTrace();
    const upload = await admin
      .post('/documents')
      .set('traceparent', traceparent)
      .field('document', JSON.stringify({ title: 'Verfolgt' }), { contentType: 'application/json' })
      .attach('content', Buffer.from('Inhalt'), 'inhalt.txt')
      .expect(201);
    const request = await requestSpan(traceId);
    await waitUntilProcessed(tenant, (upload.body as { id: string }).id);
    // The upload also queues a job for the words of its title.
    const job = await receiver.waitForSpan(
      () => spansOf(traceId).find(({ name }) => name === 'process ProcessDocument'),
      'The job',
    );
    expect(job).toMatchObject({ kind: 'CONSUMER', parentSpanId: request.spanId });
    expect(job.attributes).toMatchObject({
      'messaging.system': 'graphile_worker',
      'messaging.destination.name': 'ProcessDocument',
      'messaging.message.id': expect.any(String),
      'filing.tenant.id': tenant.id,
      'filing.job.attempt': 1,
    });
    expect(childrenOf(job).map(({ name }) => name)).toContainEqual(expect.stringMatching(/COMMIT$/));
    const line = await receiver.waitForSpan(
      () => lines().find(({ msg, span_id }) => msg === 'job done' && span_id === job.spanId),
      'The line of the job',
    );
    expect(line).toMatchObject({ trace_id: traceId, task: 'ProcessDocument' });
    expect(line).not.toHaveProperty('traceparent');
  });

  it('have their ids in the lines of the log', async () => {
    const { traceId, traceparent } = callersTrace();
    const response = await admin.get('/me').set('traceparent', traceparent);
    const { spanId } = await requestSpan(traceId);
    const line = await receiver.waitForSpan(
      () => lines().find(({ requestId }) => requestId === response.headers['x-request-id']),
      'The line of the request',
    );
    expect(line).toMatchObject({ msg: 'request', trace_id: traceId, span_id: spanId });
  });

  it('start with the request when it has no valid traceparent', async () => {
    for (const traceparent of [undefined, 'nonsense', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`]) {
      const test = admin.get('/me');
      const response = await (traceparent === undefined ? test : test.set('traceparent', traceparent));
      const span = await receiver.waitForSpan(
        () =>
          receiver.spans.find(
            ({ attributes }) => attributes['filing.request.id'] === response.headers['x-request-id'],
          ),
        'The request',
      );
      expect(span.parentSpanId).toBe('');
      expect(span.traceId).not.toMatch(/^0*$/);
    }
  });

  it('are not created for unsampled traces and for probes', async () => {
    const unseen = callersTrace(false);
    await admin.get('/files').set('traceparent', unseen.traceparent).expect(200);
    const probe = callersTrace();
    await fetch(`${service.url}/readyz`, { headers: { traceparent: probe.traceparent } });
    const seen = callersTrace();
    await admin.get('/files').set('traceparent', seen.traceparent);
    await requestSpan(seen.traceId);
    expect([...spansOf(unseen.traceId), ...spansOf(probe.traceId)]).toEqual([]);
  });

  it('show the type of errors of service and database, but not of rejected requests', async () => {
    const refused = callersTrace();
    await admin
      .post('/files', { fileTypeId: randomUUID(), number: 'T-2', name: 'Traced' })
      .set('traceparent', refused.traceparent)
      .expect(400);
    const span = await requestSpan(refused.traceId);
    expect(span.status).toEqual({ code: 0 });
    expect(span.attributes['http.response.status_code']).toBe(400);
    const broken = spansOf(refused.traceId).find(({ status }) => status.code === 2);
    expect(broken?.status).toEqual({ code: 2 });
    expect(broken?.attributes).toMatchObject({ 'error.type': '23503', 'db.response.status_code': '23503' });

    const failing = callersTrace();
    await service.query(`ALTER TABLE files ADD CONSTRAINT ck_traced CHECK (name <> 'Verschlusssache')`);
    await admin
      .post('/files', { fileTypeId, number: 'T-2', name: 'Verschlusssache' })
      .set('traceparent', failing.traceparent)
      .expect(500);
    await service.query('ALTER TABLE files DROP CONSTRAINT ck_traced');
    const failed = await requestSpan(failing.traceId);
    expect(failed.status).toEqual({ code: 2 });
    expect(failed.attributes).toMatchObject({ 'http.response.status_code': 500, 'error.type': '500' });
    expect(receiver.spans.filter(({ events }) => events > 0)).toEqual([]);
  });

  it('have only the method for an unknown path', async () => {
    const { traceId, traceparent } = callersTrace();
    await fetch(`${service.url}/Geheimnis?token=abc`, { headers: { traceparent } });
    const span = await requestSpan(traceId);
    expect(span.name).toBe('GET');
    expect(span.attributes).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 404,
      'network.protocol.version': '1.1',
      'url.scheme': 'http',
      'filing.request.id': expect.any(String),
    });
  });

  it('contain no user data, tokens, slugs or addresses', async () => {
    const secrets = ['Geheimakte', 'Geheimdokument', 'geheim.txt', 'geheimer-inhalt', 'Geheimfrage'];
    const { traceId, traceparent } = callersTrace();
    await admin.post('/files', { fileTypeId, number: 'Geheimakte', name: 'Geheimakte' }).expect(201);
    await admin.post('/files', { fileTypeId, number: 'Geheimakte', name: 'Geheimakte' }).expect(409);
    const upload = await admin
      .post('/documents')
      .field('document', JSON.stringify({ title: 'Geheimdokument' }), { contentType: 'application/json' })
      .attach('content', Buffer.from('geheimer-inhalt'), 'geheim.txt')
      .expect(201);
    await waitUntilProcessed(tenant, (upload.body as { id: string }).id);
    await admin.get('/files?q=Geheimfrage');
    await admin.post('/documents/search', { q: 'Geheimfrage geheimer-inhalt' });
    await admin.get('/audit-log?action=Geheimfrage');
    await admin.get('/files').set('traceparent', traceparent);
    await requestSpan(traceId);
    const { text } = receiver;
    expect(text).toContain('INSERT document');
    for (const secret of [...secrets, admin.token, admin.email, admin.name, tenant.slug])
      expect(text).not.toContain(secret);
  });
});

describe('Environment variables of OpenTelemetry', () => {
  it('set the URL of traces and the name of the service', async () => {
    const receiver = await OtlpReceiver.start();
    process.env.OTEL_BSP_SCHEDULE_DELAY = '50';
    process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = `${receiver.url}/somewhere`;
    process.env.OTEL_SERVICE_NAME = 'filing-south';
    const service = await TestService.start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
    try {
      await fetch(`${service.url}/openapi.json`);
      const { path, contentType, body } = await receiver.waitForSpan(() => receiver.requests[0], 'Anything');
      expect({ path, contentType }).toEqual({ path: '/somewhere', contentType: 'application/x-protobuf' });
      expect(body.includes('filing-south')).toBe(true);
    } finally {
      delete process.env.OTEL_BSP_SCHEDULE_DELAY;
      delete process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
      delete process.env.OTEL_SERVICE_NAME;
      await service.stop();
      await receiver.stop();
    }
  });
});
