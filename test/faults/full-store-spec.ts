import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { pseudoRandomBytes } from '../support/content-fixtures.js';
import { waitUntil } from '../support/wait-until.js';
import { ServiceFixture } from '../support/service/service-fixture.js';
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

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { id?: string; type?: string };
}

const variants = await storeVariants();

describe('The service when the content store is full', () => {
  it.each(variants)(
    'rejects uploads without leftovers, keeps serving, and accepts uploads after space is freed: %s',
    async (_, make) => {
      const store = await make();
      const fixture = await ServiceFixture.prepare({
        built: true,
        emails: [EMAIL],
        dataDirectory: store.dataDirectory,
      });
      try {
        // The worker retries contents that it cannot copy. It is a separate process, because the limit must not apply to it.
        const worker = fixture.start('worker', { WORKER_CONCURRENCY: '2' });
        const service = fixture.start('main', { WORKER_CONCURRENCY: '0' });
        const url = await service.url();

        const call = async (...args: Parameters<typeof fixture.send>): Promise<Answer> => {
          const response = await fixture.send(...args);
          const body = (await response.json().catch(() => ({}))) as Answer['body'];
          return { status: response.status, headers: response.headers, body };
        };
        const upload = ({ title, key, bytes }: Upload) => {
          const form = new FormData();
          form.append('document', JSON.stringify({ title }));
          form.append('content', new Blob([bytes], { type: 'text/plain' }), 'note.txt');
          const headers = { 'Idempotency-Key': key };
          // A client that is rejected while sending has two seconds to read the answer. A busy machine may need longer, and
          // then the connection is closed; a retry gets the answer.
          const send = (retries: number): Promise<Answer> =>
            call(url, EMAIL, '/documents', { method: 'POST', body: form, headers }).catch(
              (error: unknown) => {
                if (retries === 0) throw error;
                return send(retries - 1);
              },
            );
          return send(5);
        };
        const count = async (sql: string) =>
          Number(
            (await fixture.owner.query<{ count: string }>(`SELECT count(*) FROM ${sql}`)).rows[0]?.count,
          );
        const problemOf = ({ status, headers, body }: Answer) => {
          expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
          if (status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
          return `${status} ${body.type}`;
        };
        let number = 0;
        const newUploads = (): Upload[] =>
          Array.from({ length: UPLOADS }, () => {
            const seed = (number += 1);
            // Hexadecimal digits: every content is text and unique.
            const bytes = Buffer.from(pseudoRandomBytes(BYTES / 2, seed).toString('hex'));
            return { title: `Upload ${seed}`, key: randomUUID(), bytes };
          });

        const first = (await upload(newUploads()[0]!)).body.id!; // Also creates the folders.
        const rejections: Record<string, number> = {};
        let accepted = 1;
        for (let round = 0; round < ROUNDS; round += 1) {
          await store.fill(service);
          const uploads = newUploads();
          const answers = await Promise.all(uploads.map(upload));
          const rejected = uploads.filter((_, n) => answers[n]!.status !== 201);
          accepted += UPLOADS - rejected.length;
          // A few uploads still fit.
          expect(rejected.length).toBeGreaterThan(UPLOADS / 2);
          for (const answer of answers.filter(({ status }) => status !== 201)) {
            const kind = problemOf(answer);
            expect(['507 /problems/content.storage-full', '503 /problems/service.unavailable']).toContain(
              kind,
            );
            rejections[kind] = (rejections[kind] ?? 0) + 1;
          }
          // Rejected uploads leave no bytes and no rows. Completely received bytes are removed after the answer.
          const incoming = path.join(store.dataDirectory, 'content', 'incoming');
          await waitUntil(
            async () => (await readdir(incoming)).length === 0,
            'the removal of rejected bytes',
          );
          await checkContentStore(fixture);
          expect(await count('documents')).toBe(accepted);
          expect(await count(`audit_entries WHERE action = 'DocumentCreated'`)).toBe(accepted);
          expect(await count('document_versions')).toBe(accepted);
          // Requests that need no space still succeed.
          const tag = { method: 'POST', body: { name: `Tag ${round}` } };
          expect((await call(url, EMAIL, '/tags', tag)).status).toBe(201);
          expect((await call(url, EMAIL, `/documents/${first}`)).status).toBe(200);

          await store.freeSpace(service);
          for (const retried of rejected) expect((await upload(retried)).status).toBe(201);
          accepted += rejected.length;
          expect(await count('documents')).toBe(accepted);
        }
        for (
          const begin = Date.now();
          (await count(`documents WHERE status <> 'Active'`)) > 0;
          await sleep(50)
        ) {
          if (Date.now() - begin > WAIT_TIMEOUT_MS) throw new Error('Documents are still in Processing.');
        }
        expect(await count('document_versions WHERE failure IS NOT NULL')).toBe(0);
        expect(await count('documents')).toBe(accepted);
        expect(await checkContentStore(fixture)).toBe(accepted);
        process.stderr.write(
          `${ROUNDS} rounds with a full store: ${accepted} contents stored, rejected ${JSON.stringify(rejections)}\n`,
        );
        for (const process of [worker, service]) {
          process.signal('SIGTERM');
          expect(await process.exit).toBe(0);
        }
      } finally {
        await fixture.cleanUp();
        await store.remove();
      }
    },
  );
});
