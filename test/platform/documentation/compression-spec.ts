import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { request as send } from 'undici';
import { upload } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { service } from '../../support/service/shared-service.js';

const COMPRESSED = [
  '/openapi.json',
  '/docs',
  '/docs/swagger-ui-bundle.js',
  '/docs/swagger-ui.css',
  '/docs/initializer.js',
];
const DECODE: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

interface Received {
  readonly status: number;
  readonly headers: Record<string, string | undefined>;
  readonly bytes: Buffer;
}

describe('Compression', () => {
  /** Without the headers and the decoding that `fetch` adds. */
  async function get(path: string, headers: Record<string, string> = {}): Promise<Received> {
    const { statusCode, headers: received, body } = await send(service.url + path, { headers });
    return {
      status: statusCode,
      headers: received as Received['headers'],
      bytes: Buffer.from(await body.arrayBuffer()),
    };
  }

  describe.each(COMPRESSED)('of %s', (path) => {
    it.each([
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip, deflate', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['*', 'br'],
      ['zstd', undefined],
      ['identity', undefined],
      ['', undefined],
      ['br;q=0, gzip;q=0', undefined],
    ])('follows Accept-Encoding: %s', async (accepted, encoding) => {
      const plain = await get(path);
      expect(plain.headers['content-encoding']).toBeUndefined();
      const { status, headers, bytes } = await get(path, { 'accept-encoding': accepted });
      expect([status, headers['content-encoding'], headers['vary']]).toEqual([
        200,
        encoding,
        'Accept-Encoding',
      ]);
      expect(headers['content-type']).toBe(plain.headers['content-type']);
      expect(headers['content-length']).toBe(String(bytes.length));
      if (encoding !== undefined) expect(bytes.length).toBeLessThan(plain.bytes.length);
      const decoded = DECODE[encoding ?? '']?.(bytes) ?? bytes;
      // Comparing megabytes by `toEqual` takes seconds.
      expect(decoded.equals(plain.bytes)).toBe(true);
    });

    it('has a strong entity tag for each encoding, and returns 304 only for the matching one', async () => {
      const tags: string[] = [];
      for (const encoding of ['br', 'gzip', 'identity']) {
        const { headers } = await get(path, { 'accept-encoding': encoding });
        tags.push(headers['etag'] ?? '');
      }
      for (const tag of tags) expect(tag).toMatch(/^"[^"]+"$/);
      expect(new Set(tags).size).toBe(3);
      const [br = '', gzip = ''] = tags;
      const again = await get(path, { 'accept-encoding': 'br', 'if-none-match': br });
      expect(again).toMatchObject({
        status: 304,
        headers: { etag: br, vary: 'Accept-Encoding', 'cache-control': 'public, no-cache' },
      });
      expect(again.bytes).toHaveLength(0);
      expect(again.headers).not.toHaveProperty('content-encoding');
      const other = await get(path, { 'accept-encoding': 'br', 'if-none-match': gzip });
      expect(other.status).toBe(200);
    });
  });

  it('does not compress images', async () => {
    const { headers } = await get('/docs/favicon-32x32.png', { 'accept-encoding': 'gzip, br' });
    expect(headers).not.toHaveProperty('content-encoding');
    expect(headers).not.toHaveProperty('vary');
  });

  it('lets browsers cache assets without limit if their URL contains the current version', async () => {
    const html = (await get('/docs')).bytes.toString();
    const parts = [...html.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, part = '']) => part);
    expect(parts).toHaveLength(6);
    for (const part of parts) {
      const { headers } = await get(`/${part}`);
      expect([part, headers['cache-control']]).toEqual([part, 'public, max-age=31536000, immutable']);
    }
    const [part = ''] = parts;
    const [address = ''] = part.split('?');
    for (const unversioned of [address, `${address}?v=`, `${address}?v=1`, `${part}&v=1`]) {
      const { headers } = await get(`/${unversioned}`);
      expect([unversioned, headers['cache-control']]).toEqual([unversioned, 'public, no-cache']);
    }
  });

  describe('of responses with data of callers', () => {
    let admin: Actor;
    let paths: Record<'file' | 'content', string>;
    beforeAll(async () => {
      const tenant = await service.tenant();
      admin = await tenant.as('administrator');
      const file = await saveFile(tenant, admin);
      const bytes = Buffer.from('the same words again and again, '.repeat(1000));
      const content = { bytes, fileName: 'a.txt', mediaType: 'text/plain' };
      const created = await upload(admin, { title: 'Words' }, content);
      const base = `/api/v1/t/${tenant.slug}`;
      paths = {
        file: `${base}/files/${file.id}`,
        content: `${base}/documents/${(created.body as { id: string }).id}/content`,
      };
    });

    it.each<['file' | 'content', number, Record<string, string>]>([
      ['file', 200, {}],
      ['content', 200, {}],
      ['content', 206, { range: 'bytes=0-9999' }],
    ])('is not applied: %s, %i', async (name, status, headers) => {
      const authorization = `Bearer ${admin.token}`;
      const received = await get(paths[name], { authorization, 'accept-encoding': 'gzip, br', ...headers });
      expect(received.status).toBe(status);
      expect(received.headers).not.toHaveProperty('content-encoding');
      expect(received.headers['etag']).toMatch(/^"/);
    });
  });
});
