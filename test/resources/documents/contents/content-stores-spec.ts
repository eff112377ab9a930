import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { ContentSweeper } from '../../../../src/resources/documents/contents/content-sweeper.js';
import { upload } from '../../../factories/documents.js';
import { type Actor } from '../../../support/actor.js';
import { pseudoRandomBytes, sha256Of } from '../../../support/content-fixtures.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { waitUntil } from '../../../support/wait-until.js';
import { S3Server } from '../../../support/servers/s3-server.js';
import { SecondInstance } from '../../../support/service/second-instance.js';
import { TestService } from '../../../support/service/service.js';
import { asBytes, storedHashes, temporaryFiles } from '../../../support/stored-content.js';
import { type TestTenant } from '../../../support/tenant.js';

const MEBIBYTE = 1024 * 1024;
const LIMIT = 10 * MEBIBYTE;
/** Larger than one part of a multipart upload to the bucket. */
const LARGE = pseudoRandomBytes(8 * MEBIBYTE + 5);

interface StoreFixture {
  readonly environment: NodeJS.ProcessEnv;
  /** Names of the temporary objects of all tenants and of the tenant's stored contents. */
  contents(tenant: TestTenant): Promise<{ temporary: string[]; kept: string[] }>;
  stop(): Promise<void>;
}

async function diskStore(): Promise<StoreFixture> {
  return {
    environment: {},
    contents: async (tenant) => ({
      temporary: await temporaryFiles(tenant.service),
      kept: await storedHashes(tenant),
    }),
    stop: () => Promise.resolve(),
  };
}

async function bucketStore(): Promise<StoreFixture & { readonly server: S3Server }> {
  const server = await S3Server.start();
  return {
    server,
    environment: { ...server.environment, S3_PREFIX: 'filing' },
    contents: ({ id }) => {
      const keys = server.bucket.keys();
      return Promise.resolve({
        temporary: [...keys.filter((key) => key.startsWith('filing/incoming/')), ...server.bucket.uploads()],
        kept: keys
          .filter((key) => key.startsWith(`filing/objects/${id}/`))
          .map((key) => key.split('/').at(-1) ?? ''),
      });
    },
    stop: () => server.stop(),
  };
}

describe.each<[string, () => Promise<StoreFixture>]>([
  ['on disk', diskStore],
  ['in a bucket', bucketStore],
])('The service with contents %s', (_, createStore) => {
  let store: StoreFixture;
  let service: TestService;
  let tenant: TestTenant;
  let editor: Actor;
  beforeAll(async () => {
    store = await createStore();
    service = await TestService.start({
      ...store.environment,
      UPLOAD_LIMIT_BYTES: String(LIMIT),
    });
  });
  afterAll(async () => {
    await service.stop();
    await store.stop();
  });
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
  });

  const uploadContent = async (bytes: Buffer | string): Promise<string> => {
    const response = await upload(editor, { title: 'Bauplan' }, { bytes });
    expect(response.status).toBe(201);
    return (response.body as { id: string }).id;
  };
  const noTemporaryContent = () =>
    waitUntil(async () => (await store.contents(tenant)).temporary.length === 0);

  it('stores content and returns it completely, as a range, or as 304 for a current If-None-Match', async () => {
    const id = await uploadContent(LARGE);
    const content = `/documents/${id}/content`;

    const whole = await asBytes(editor.get(content));
    expect([whole.status, sha256Of(whole.body as Buffer)]).toEqual([200, sha256Of(LARGE)]);
    const range = await asBytes(editor.get(content).set('Range', `bytes=${8 * MEBIBYTE - 3}-`));
    expect(range.status).toBe(206);
    expect((range.body as Buffer).equals(LARGE.subarray(8 * MEBIBYTE - 3))).toBe(true);
    const known = await editor.get(content).set('If-None-Match', `"${sha256Of(LARGE)}"`);
    expect(known.status).toBe(304);
    await noTemporaryContent();
    expect((await store.contents(tenant)).kept).toEqual([sha256Of(LARGE)]);
  });

  it('stores the same bytes once', async () => {
    await Promise.all([uploadContent('same'), uploadContent('same'), uploadContent('same')]);
    await noTemporaryContent();
    expect((await store.contents(tenant)).kept).toEqual([sha256Of('same')]);
  });

  /** Sends an upload without end, until the answer arrives or `most` bytes are sent. */
  async function sendUntilAnswered(headers: Record<string, string>, most: number, url = service.url) {
    const request = httpRequest(`${url}/api/v1/t/${tenant.slug}/documents`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${editor.token}`,
        'Content-Type': 'multipart/form-data; boundary=b',
        ...headers,
      },
    });
    let answered = false;
    const answer = new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      request.on('error', reject);
      request.on('response', (response) => {
        answered = true;
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode, text }));
      });
    });
    answer.catch(() => undefined);
    request.write(
      '--b\r\nContent-Disposition: form-data; name="document"\r\n\r\n{"title":"Endlos"}\r\n' +
        '--b\r\nContent-Disposition: form-data; name="content"; filename="a.bin"\r\n\r\n',
    );
    let sent = 0;
    for (const chunk = Buffer.alloc(64 * 1024); !answered && sent < most; sent += chunk.length) {
      if (!request.write(chunk)) await Promise.race([once(request, 'drain'), answer]);
    }
    const { status, text } = await answer;
    request.destroy();
    return { status, code: (JSON.parse(text) as { type: string }).type, sent };
  }

  it('returns 413 immediately when Content-Length is too large', async () => {
    const before = await tenant.fingerprint();
    const length = String(100 * LIMIT);

    const { status, code, sent } = await sendUntilAnswered({ 'Content-Length': length }, 100 * LIMIT);

    expect([status, code]).toEqual([413, '/problems/request.too-large']);
    expect(sent).toBeLessThan(LIMIT);
    expect(await tenant.fingerprint()).toEqual(before);
    await noTemporaryContent();
  });

  it('returns 413 while reading an endless upload without Content-Length', async () => {
    const before = await tenant.fingerprint();

    const { status, code, sent } = await sendUntilAnswered({}, 100 * LIMIT);

    expect([status, code]).toEqual([413, '/problems/request.too-large']);
    // Includes bytes in buffers, and those that a client may still send after the refusal.
    expect(sent).toBeLessThan(LIMIT + 16 * MEBIBYTE);
    expect(await tenant.fingerprint()).toEqual(before);
    await noTemporaryContent();
    expect((await store.contents(tenant)).kept).toEqual([]);
  });

  it('returns 400 when an upload stalls', async () => {
    const configuration = { uploadIdleTimeout: 200 };
    const strict = await SecondInstance.start(service, { configuration });
    try {
      const { status, code } = await sendUntilAnswered({}, 9 * MEBIBYTE, strict.url);

      expect([status, code]).toEqual([400, '/problems/request.malformed-body']);
      await noTemporaryContent();
    } finally {
      await strict.stop();
    }
  });

  it('finds stored contents in another process', async () => {
    const id = await uploadContent('to be kept');
    const second = await SecondInstance.start(service);
    try {
      const response = await asBytes(second.actor(editor).get(`/documents/${id}/content`));
      expect([response.status, String(response.body)]).toEqual([200, 'to be kept']);
    } finally {
      await second.stop();
    }
  });
});

describe('The service with contents in a bucket', () => {
  let store: Awaited<ReturnType<typeof bucketStore>>;
  let service: TestService;
  let tenant: TestTenant;
  let editor: Actor;
  beforeAll(async () => {
    store = await bucketStore();
    service = await TestService.start(store.environment);
  });
  afterAll(async () => {
    await service.stop();
    await store.stop();
  });
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
  });

  afterEach(() => {
    store.server.injectFault = () => undefined;
  });

  it('returns 503 without partial writes while the bucket is missing, and recovers afterwards', async () => {
    const there = await upload(editor, { title: 'Bauplan' }, { bytes: 'there' });
    const { id } = there.body as { id: string };
    await waitUntil(async () => (await store.contents(tenant)).temporary.length === 0);
    const before = await tenant.fingerprint();
    store.server.removeBucket();
    try {
      expectProblem(await upload(editor, { title: 'Plan' }, { bytes: 'new' }), 'service.unavailable');
      expectProblem(await upload(editor, { title: 'Plan' }, { bytes: LARGE }), 'service.unavailable');
      expectProblem(await editor.get(`/documents/${id}/content`), 'service.unavailable');
      // The store has this content, but the upload needs the bucket before its hash is known.
      expectProblem(await upload(editor, { title: 'Plan' }, { bytes: 'there' }), 'service.unavailable');
      expect((await editor.get(`/documents/${id}`)).status).toBe(200);
    } finally {
      store.server.restoreBucket();
    }

    expect(await tenant.fingerprint()).toEqual(before);
    expect(await store.contents(tenant)).toEqual({ temporary: [], kept: [sha256Of('there')] });
    expect((await asBytes(editor.get(`/documents/${id}/content`))).status).toBe(200);
    expect((await upload(editor, { title: 'Plan' }, { bytes: 'new' })).status).toBe(201);
  });

  it('returns 503 and rolls back when the bytes cannot be copied to their final key', async () => {
    const before = await tenant.fingerprint();
    store.server.injectFault = (operation) =>
      operation === 'CopyObject' ? { status: 500, code: 'InternalError' } : undefined;
    expectProblem(await upload(editor, { title: 'Plan' }, { bytes: 'new' }), 'service.unavailable');
    expect(await tenant.fingerprint()).toEqual(before);
    await waitUntil(async () => (await store.contents(tenant)).temporary.length === 0);
    expect((await store.contents(tenant)).kept).toEqual([]);
  });

  it('returns 507 when the bucket has no space left', async () => {
    store.server.injectFault = (operation) =>
      operation === 'PutObject' ? { status: 403, code: 'QuotaExceeded' } : undefined;
    expectProblem(await upload(editor, { title: 'Plan' }, { bytes: 'new' }), 'content.storage-full');
  });

  it('sweeps contents without a document, and incomplete uploads', async () => {
    const { id } = (await upload(editor, { title: 'Bauplan' }, { bytes: 'gone' })).body as { id: string };
    await upload(editor, { title: 'Plan' }, { bytes: 'kept' });
    await service.query('DELETE FROM documents WHERE tenant_id = $1 AND id = $2', [tenant.id, id]);
    await service.query(`UPDATE contents SET linked_at = now() - interval '25 hours' WHERE tenant_id = $1`, [
      tenant.id,
    ]);
    store.server.injectFault = (operation) =>
      /^(Complete|Abort)/.test(operation) ? { status: 403, code: 'AccessDenied' } : undefined;
    expectProblem(await upload(editor, { title: 'Plan' }, { bytes: LARGE }), 'service.unavailable');
    store.server.injectFault = () => undefined;
    const { bucket } = store.server;
    bucket.pageSize = 1;
    for (const key of [...bucket.keys(), ...bucket.uploads()]) bucket.age(key, 25);

    await service.app.get(ContentSweeper).sweep();

    expect(await store.contents(tenant)).toEqual({ temporary: [], kept: [sha256Of('kept')] });
  });

  it('closes its connections to the bucket when it stops, and does not start without the bucket', async () => {
    const own = await S3Server.start();
    try {
      const second = await SecondInstance.start(service, { configuration: { s3Endpoint: own.url } });
      await second.app.get(ContentSweeper).sweep();
      let left = await own.connections();
      expect(left).toBeGreaterThan(0);
      await second.stop();
      await waitUntil(
        async () => (left = await own.connections()) === 0,
        () => `The end of ${left} connections after ${own.operations.join()}`,
      );
    } finally {
      await own.stop();
    }

    await expect(
      SecondInstance.start(service, { configuration: { s3Bucket: 'nowhere' } }),
    ).rejects.toMatchObject({
      name: 'ContentStoreStartError',
      message: expect.stringMatching(/^The bucket nowhere at \S+ cannot be used: it does not exist/),
    });
  });
});
