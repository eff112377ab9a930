import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { pseudoRandomBytes } from '../support/content-fixtures.js';
import { waitUntil } from '../support/wait-until.js';
import { ServiceFixture, SLUG } from './support/service-fixture.js';
import { storeVariants } from './support/limited-store.js';
import { checkContentStore } from './support/stored-writes.js';

const ROUNDS = Math.max(2, Math.ceil(Number(process.env.FAULT_ROUNDS ?? 20) / 4));
const UPLOADS = 30;
const BYTES = 200_000;
const EMAIL = 'uploader@people.example';
const WAIT_TIMEOUT_MS = 600_000;

jest.setTimeout(ROUNDS * 300_000 + 900_000);

interface Upload {
  readonly title: string;
  readonly key: string;
  readonly bytes: Buffer<ArrayBuffer>;
}

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { id?: string; type?: string };
}

const ways = await storeVariants();

describe('The service, when there is no more room for contents', () => {
  it.each(ways)('refuses them whole, goes on, and takes them when there is: %s', async (_, make) => {
    const store = await make();
    const fixture = await ServiceFixture.prepare({ emails: [EMAIL], dataDirectory: store.dataDirectory });
    try {
      // What a worker cannot copy it tries again later. A process of its own: the limit is not meant for it.
      const worker = fixture.start('worker', { WORKER_CONCURRENCY: '2' });
      const service = fixture.start('main', { WORKER_CONCURRENCY: '0' });
      const base = `${await service.url()}/api/v1/t/${SLUG}`;
      const token = await fixture.token(EMAIL);

      const call = async (method: string, place: string, init: RequestInit = {}): Promise<Answered> => {
        const headers = {
          Authorization: `Bearer ${token}`,
          // None is lost because a kept connection ends when it is used again.
          Connection: 'close',
          ...(init.headers as Record<string, string>),
        };
        const response = await fetch(`${base}${place}`, { ...init, method, headers });
        const body = (await response.json().catch(() => ({}))) as Answered['body'];
        return { status: response.status, headers: response.headers, body };
      };
      const upload = ({ title, key, bytes }: Upload) => {
        const form = new FormData();
        form.append('document', JSON.stringify({ title }));
        form.append('content', new Blob([bytes], { type: 'text/plain' }), 'note.txt');
        const headers = { 'Idempotency-Key': key };
        // Who is refused while sending has two seconds to come to the answer; a busy machine may take longer, and then
        // the connection ends. Asked again, the answer is there.
        const send = (again: number): Promise<Answered> =>
          call('POST', '/documents', { body: form, headers }).catch((error: unknown) => {
            if (again === 0) throw error;
            return send(again - 1);
          });
        return send(5);
      };
      const count = async (sql: string) =>
        Number((await fixture.owner.query<{ count: string }>(`SELECT count(*) FROM ${sql}`)).rows[0]?.count);
      const refusedWith = ({ status, headers, body }: Answered) => {
        expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
        if (status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
        return `${status} ${body.type}`;
      };
      let number = 0;
      const some = (): Upload[] =>
        Array.from({ length: UPLOADS }, () => {
          const seed = (number += 1);
          // Hexadecimal digits: text, and each its own.
          const bytes = Buffer.from(pseudoRandomBytes(BYTES / 2, seed).toString('hex'));
          return { title: `Upload ${seed}`, key: randomUUID(), bytes };
        });

      const first = (await upload(some()[0]!)).body.id!; // Makes the folders, too.
      const refusals: Record<string, number> = {};
      let taken = 1;
      for (let round = 0; round < ROUNDS; round += 1) {
        await store.fill(service);
        const uploads = some();
        const answers = await Promise.all(uploads.map(upload));
        const refused = uploads.filter((_, n) => answers[n]!.status !== 201);
        taken += UPLOADS - refused.length;
        // One or two find the last of the room.
        expect(refused.length).toBeGreaterThan(UPLOADS / 2);
        for (const answer of answers.filter(({ status }) => status !== 201)) {
          const kind = refusedWith(answer);
          expect(['507 /problems/content.storage-full', '503 /problems/service.unavailable']).toContain(kind);
          refusals[kind] = (refusals[kind] ?? 0) + 1;
        }
        // Nothing is left of them, neither bytes nor rows. Bytes that had all come go after the answer.
        const incoming = path.join(store.dataDirectory, 'content', 'incoming');
        await waitUntil(async () => (await readdir(incoming)).length === 0, 'The end of refused bytes');
        await checkContentStore(fixture);
        expect(await count('documents')).toBe(taken);
        expect(await count(`audit_entries WHERE action = 'DocumentCreated'`)).toBe(taken);
        expect(await count('document_versions')).toBe(taken);
        // What needs no room goes on.
        const tag = { body: JSON.stringify({ name: `Tag ${round}` }) };
        const json = { 'Content-Type': 'application/json' };
        expect((await call('POST', '/tags', { ...tag, headers: json })).status).toBe(201);
        expect((await call('GET', `/documents/${first}`)).status).toBe(200);

        await store.freeSpace(service);
        for (const again of refused) expect((await upload(again)).status).toBe(201);
        taken += refused.length;
        expect(await count('documents')).toBe(taken);
      }
      for (
        const begin = Date.now();
        (await count(`documents WHERE status <> 'Active'`)) > 0;
        await sleep(50)
      ) {
        if (Date.now() - begin > WAIT_TIMEOUT_MS) throw new Error('Documents are stuck in Processing.');
      }
      expect(await count('document_versions WHERE failure IS NOT NULL')).toBe(0);
      expect(await count('documents')).toBe(taken);
      expect(await checkContentStore(fixture)).toBe(taken);
      process.stderr.write(
        `${ROUNDS} times without room: ${taken} contents kept, refused ${JSON.stringify(refusals)}\n`,
      );
      for (const process of [worker, service]) {
        process.signal('SIGTERM');
        expect(await process.exit).toBe(0);
      }
    } finally {
      await fixture.cleanUp();
      await store.remove();
    }
  });
});
