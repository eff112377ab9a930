import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { newId } from '../../src/common/identifier.js';
import { sizeIn } from '../../src/platform/content/content-copy.js';
import { DiskContentStore } from '../../src/platform/content/disk-content-store.js';
import { waitUntil } from '../support/wait-until.js';
import { ServiceFixture } from '../support/service/service-fixture.js';

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 20);
const FILES = 4;
/** Documents of each file with a content; the first file has many more without. */
const CONTENTS = 5;
const WITHOUT_CONTENT = 1100;
const EMAILS = ['maker@people.example', 'approver@people.example'] as const;

jest.setTimeout(ROUNDS * 120_000 + 900_000);

interface Answer {
  readonly id: string;
  readonly status: string;
}

/** Hashes of contents. The second half of the shared ones is of versions that stay. */
interface Hashes {
  readonly gone: string[];
  readonly kept: string[];
}

describe(`Disposals, killed ${ROUNDS} times`, () => {
  let fixture: ServiceFixture;
  let store: DiskContentStore;
  let tenantId: string;
  let userId: string;
  beforeAll(async () => {
    fixture = await ServiceFixture.prepare({ built: true, emails: EMAILS });
    store = new DiskContentStore(path.join(fixture.directory, 'content'));
  }, 300_000);
  afterAll(() => fixture.cleanUp());

  const query = async <T extends object>(sql: string, values: unknown[]) =>
    (await fixture.owner.query<T>(sql, values)).rows;

  async function send(base: string, user: 0 | 1, method: string, to: string, body?: object): Promise<Answer> {
    const response = await fixture.send(base, EMAILS[user], to, { method, ...(body && { body }) });
    if (!response.ok)
      throw new Error(`${method} ${to} answered ${response.status}: ${await response.text()}`);
    return (response.status === 204 ? {} : await response.json()) as Answer;
  }

  async function saveDocument(fileIds: string[], bytes: string | null): Promise<string | null> {
    const id = newId();
    await query(
      `INSERT INTO documents (tenant_id, id, title, status, is_confidential, created_by) VALUES ($1, $2, 'D', 'Active', false, $3)`,
      [tenantId, id, userId],
    );
    await query(
      `INSERT INTO document_files (tenant_id, document_id, file_id, created_at, file_type_id)
       SELECT d.tenant_id, d.id, f.id, d.created_at, f.file_type_id FROM documents d, files f
        WHERE d.tenant_id = $1 AND d.id = $2 AND f.tenant_id = $1 AND f.id = ANY ($3::uuid[])`,
      [tenantId, id, fileIds],
    );
    if (bytes === null) return null;
    const received = await store.receive(Readable.from([Buffer.from(bytes)]), 1024);
    await query('INSERT INTO contents (tenant_id, sha256, size) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
      tenantId,
      received.sha256,
      received.size,
    ]);
    await store.keep(tenantId, received);
    await query(
      `INSERT INTO document_versions (tenant_id, document_id, number, content_sha256, size, file_name, claimed_media_type,
                                      media_type, created_by)
       VALUES ($1, $2, 1, $3, $4, 'a.txt', 'text/plain', 'text/plain', $5)`,
      [tenantId, id, received.sha256, received.size, userId],
    );
    return received.sha256;
  }

  /** Creates an approved disposal of files with documents, and what must stay beside it. */
  async function prepare(base: string, round: number): Promise<{ id: string; hashes: Hashes }> {
    const type = { key: `type-${round}`, nameDe: 'Art', nameEn: 'Type' };
    const { id: fileTypeId } = await send(base, 0, 'POST', '/file-types', type);
    const rule = { period: 'P1Y', startsAt: 'Closing', disposition: 'Destroy' };
    await send(base, 0, 'PUT', `/file-types/${fileTypeId}/retention`, rule);
    const files: string[] = [];
    for (let n = 0; n <= FILES; n += 1) {
      const body = { fileTypeId, number: `${round}-${n}`, name: 'File' };
      files.push((await send(base, 0, 'POST', '/files', body)).id);
    }
    const [stays = '', ...due] = files;
    const hashes: Hashes = { gone: [], kept: [] };
    for (const fileId of due) {
      for (let n = 0; n < CONTENTS; n += 1)
        hashes.gone.push((await saveDocument([fileId], `gone ${fileId} ${n}`)) ?? '');
      hashes.kept.push((await saveDocument([fileId, stays], `in two files ${fileId}`)) ?? '');
      await saveDocument([fileId], `same ${fileId}`);
      hashes.kept.push((await saveDocument([stays], `same ${fileId}`)) ?? '');
    }
    await query(
      `WITH d AS (
         INSERT INTO documents (tenant_id, id, title, status, is_confidential, created_by)
         SELECT $1, gen_random_uuid(), 'D', 'Active', false, $3 FROM generate_series(1, $5) RETURNING id, created_at)
       INSERT INTO document_files (tenant_id, document_id, file_id, created_at, file_type_id)
       SELECT $1, d.id, $2, d.created_at, $4 FROM d`,
      [tenantId, due[0], userId, fileTypeId, WITHOUT_CONTENT],
    );
    await query(
      `UPDATE files SET status = 'Closed', closed_at = '2015-05-05' WHERE tenant_id = $1 AND id = ANY ($2::uuid[])`,
      [tenantId, due],
    );
    const body = { name: `Round ${round}`, fileTypeId, dueBefore: '2020-01-01' };
    const { id } = await send(base, 0, 'POST', '/disposals', body);
    await send(base, 0, 'POST', `/disposals/${id}/submit`);
    await send(base, 1, 'POST', `/disposals/${id}/approve`);
    return { id, hashes };
  }

  /** At any time: a file whose line says Destroyed is gone, and another one is there. */
  async function checkLines(disposalId: string): Promise<number> {
    const lines = await query<{ outcome: string | null; exists: boolean }>(
      `SELECT o.outcome, EXISTS (SELECT FROM files f WHERE f.tenant_id = $1 AND f.id = o.file_id) AS exists
         FROM disposal_files o WHERE o.tenant_id = $1 AND o.disposal_id = $2`,
      [tenantId, disposalId],
    );
    expect(lines).toHaveLength(FILES);
    for (const { outcome, exists } of lines)
      expect([outcome, exists]).toEqual([outcome, outcome !== 'Destroyed']);
    return lines.filter(({ outcome }) => outcome === 'Destroying').length;
  }

  const missing = async (hashes: string[]) => {
    const found = await Promise.all(hashes.map((sha256) => sizeIn(store, { tenantId, sha256 })));
    return hashes.filter((_, index) => found[index] === null);
  };

  it('continue after each kill, destroy everything once, and leave no byte', async () => {
    let interrupted = 0;
    let inside = 0;
    for (let round = 0; round < ROUNDS || (inside === 0 && round < 10 * ROUNDS); round += 1) {
      const preparing = fixture.start('main', { WORKER_CONCURRENCY: '0' });
      const base = await preparing.url();
      for (const user of [0, 1] as const) await send(base, user, 'GET', '/me');
      [{ tenantId, userId } = { tenantId: '', userId: '' }] = await query<{
        tenantId: string;
        userId: string;
      }>(`SELECT m.tenant_id AS "tenantId", m.user_id AS "userId" FROM members m LIMIT 1`, []);
      const { id, hashes } = await prepare(base, round);
      await fixture.kill(preparing);

      const killed = fixture.start('main', { WORKER_CONCURRENCY: '1' });
      await waitUntil(
        async () =>
          (await query('SELECT FROM disposal_files WHERE disposal_id = $1 AND outcome IS NOT NULL', [id]))
            .length > 0,
      );
      await sleep(Math.random() * 300);
      await fixture.kill(killed);
      const [disposal] = await query<{ status: string }>('SELECT status FROM disposals WHERE id = $1', [id]);
      if (disposal?.status === 'Approved') interrupted += 1;
      inside += await checkLines(id);

      const next = fixture.start('main', { WORKER_CONCURRENCY: '1' });
      await next.url();
      await waitUntil(
        async () =>
          (await query(`SELECT FROM disposals WHERE id = $1 AND status = 'Completed'`, [id])).length > 0,
      );
      expect(await checkLines(id)).toBe(0);
      expect([await missing(hashes.kept), (await missing(hashes.gone)).length]).toEqual([
        [],
        hashes.gone.length,
      ]);
      const [counts] = await query(
        `SELECT count(*) FILTER (WHERE action = 'DocumentPurged')::int AS purged,
                count(DISTINCT subject_id) FILTER (WHERE action = 'DocumentPurged')::int AS documents,
                count(*) FILTER (WHERE action = 'FileDisposed')::int AS files,
                count(*) FILTER (WHERE action = 'DisposalCompleted')::int AS completed
           FROM audit_entries WHERE tenant_id = $1`,
        [tenantId],
      );
      const documents = (round + 1) * (FILES * (CONTENTS + 1) + WITHOUT_CONTENT);
      expect(counts).toEqual({
        ...{ purged: documents, documents, files: (round + 1) * FILES, completed: round + 1 },
      });
      await fixture.kill(next);
    }
    process.stderr.write(
      `The service was killed while it carried out ${interrupted} disposals, ${inside} times inside a file\n`,
    );
    expect(interrupted).toBeGreaterThan(0);
  });
});
