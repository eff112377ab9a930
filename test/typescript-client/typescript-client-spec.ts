import { openAsBlob } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type FilingClient, FilingProblem, createFilingClient } from '../../clients/typescript/client.js';
import { type Actor } from '../support/actor.js';
import { close, listen } from '../support/servers/local-server.js';
import { service } from '../support/service/shared-service.js';

const MIB = 1024 * 1024;

describe('The TypeScript client', () => {
  let administrator: Actor;
  let client: FilingClient;
  let fileTypeId: string;
  beforeAll(async () => {
    const tenant = await service.tenant();
    administrator = await tenant.as('administrator');
    client = createFilingClient({ url: service.url, tenant: tenant.slug, token: administrator.token });
    const body = { key: 'building', nameDe: 'Bauakte', nameEn: 'Building file' };
    fileTypeId = (await client.POST('/file-types', { body })).data.id;
  });

  const create = async (number: string) =>
    (await client.POST('/files', { body: { fileTypeId, number, name: number } })).data;

  it('yields the items of all pages', async () => {
    const numbers = ['P-1', 'P-2', 'P-3'];
    for (const number of numbers) await create(number);
    const found: string[] = [];
    for await (const { number } of client.pages('/files', { params: { query: { q: 'P-', limit: 2 } } }))
      found.push(number);
    expect(found.sort()).toEqual(numbers);

    const titles: string[] = [];
    for (const title of ['A', 'B', 'C']) await client.POST('/documents', { body: { title } });
    for await (const { title } of client.pages('/documents/search', { body: { limit: 2 } }))
      titles.push(title);
    expect(titles.sort()).toEqual(['A', 'B', 'C']);
  });

  it('throws problems with their code and all their members', async () => {
    await create('T-1');
    const taken = await create('T-1').catch((error: unknown) => error);
    expect(taken).toBeInstanceOf(FilingProblem);
    expect(taken).toMatchObject({
      name: 'FilingProblem',
      status: 409,
      code: 'file.number-taken',
      message: 'File number taken: Another file of the tenant has this number.',
      problem: { type: '/problems/file.number-taken', instance: expect.any(String) as unknown },
    });
    const invalid = await create('').catch((error: unknown) => error);
    expect(invalid).toMatchObject({
      status: 400,
      message: expect.stringMatching(/: number .+; name /) as unknown,
      problem: { errors: { number: expect.any(Array) as unknown } },
    });
  });

  it('uploads content with its name and type, and downloads it as `parseAs` selects', async () => {
    const content = new File(['Grüße'], 'Grüße.txt', { type: 'text/plain' });
    const { data } = await client.POST('/documents', { body: { document: { title: 'Brief' }, content } });
    expect(data.content).toMatchObject({ fileName: 'Grüße.txt', mediaType: 'text/plain', size: 7 });
    const params = { path: { documentId: data.id } };
    const download = '/documents/{documentId}/content';
    expect((await client.GET(download, { params, parseAs: 'text' })).data).toBe('Grüße');
    expect((await client.GET(download, { params, parseAs: 'blob' })).data.size).toBe(7);

    // The client sends a Blob as the part `content` of a form.
    await service.runJobs();
    const replaced = await client.PUT(download, { params, body: new File(['Neu'], 'neu.txt') });
    expect(replaced.data.content).toMatchObject({ fileName: 'neu.txt', size: 3 });
  });

  it('throws a 412 when the entity tag in If-Match is outdated', async () => {
    const { response, data: file } = await client.POST('/files', {
      body: { fileTypeId, number: 'E-1', name: 'Eins' },
    });
    const rename = (name: string) =>
      client.PUT('/files/{fileId}', {
        params: { path: { fileId: file.id }, header: { 'If-Match': response.headers.get('ETag') ?? '' } },
        body: { name },
      });
    expect((await rename('Zwei')).data.name).toBe('Zwei');
    await expect(rename('Drei')).rejects.toMatchObject({ status: 412 });
  });

  it('accepts complete paths when it has no tenant, and sends the configured headers', async () => {
    const all = createFilingClient({
      url: service.url,
      token: () => Promise.resolve(administrator.token),
      headers: { 'Accept-Language': 'de' },
    });
    const { tenant } = administrator;
    const { data } = await all.GET('/api/v1/t/{tenant}/me', { params: { path: { tenant: tenant.slug } } });
    expect(data.tenant.id).toBe(tenant.id);
    const params = { path: { tenant: tenant.slug, fileId: tenant.id } };
    await expect(all.GET('/api/v1/t/{tenant}/files/{fileId}', { params })).rejects.toMatchObject({
      problem: { title: 'Nicht gefunden' },
    });
  });

  it('streams an upload without holding the whole file in memory', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'filing-client-'));
    const size = 256 * MIB;
    const file = path.join(directory, 'large.bin');
    const handle = await open(file, 'w');
    await handle.truncate(size);
    await handle.close();
    let received = 0;
    let most = 0;
    const server = http.createServer((request, response) => {
      request.on('data', (chunk: Buffer) => {
        received += chunk.length;
        most = Math.max(most, process.memoryUsage().arrayBuffers);
      });
      request.on('end', () =>
        response.writeHead(201, { 'Content-Type': 'application/json' }).end('{"id":"d"}'),
      );
    });
    const url = await listen(server);
    try {
      const before = process.memoryUsage().arrayBuffers;
      await createFilingClient({ url, tenant: 'x', token: 'a' }).POST('/documents', {
        body: { document: { title: 'Groß' }, content: new File([await openAsBlob(file)], 'large.bin') },
      });
      expect(received).toBeGreaterThan(size);
      expect(most - before).toBeLessThan(size / 2);
    } finally {
      await close(server);
      await rm(directory, { recursive: true });
    }
  });
});
