import { readdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { damaged, lines, unzip } from '../resources/exports/support/packages.js';
import { waitFor, waitUntil } from '../support/wait-until.js';
import { ServiceFixture } from '../support/service/service-fixture.js';

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 20);
const EMAIL = 'archivist@people.example';
const DOCUMENTS = 12;
const DOCUMENT_BYTES = 4 * 1024 * 1024;

jest.setTimeout(ROUNDS * 300_000 + 900_000);

interface Export {
  readonly id: string;
  readonly status: 'Pending' | 'Running' | 'Ready' | 'Failed' | 'Expired';
  readonly documentsDone: number;
}

describe(`Exports, killed ${ROUNDS} times`, () => {
  let fixture: ServiceFixture;
  beforeAll(async () => {
    fixture = await ServiceFixture.prepare({ built: true, emails: [EMAIL] });
  }, 300_000);
  afterAll(() => fixture.cleanUp());

  async function request(url: string, to: string, body?: object): Promise<Response> {
    const response = await fixture.send(url, EMAIL, to, body && { method: 'POST', body });
    if (!response.ok) throw new Error(`${to}: ${response.status} ${await response.text()}`);
    return response;
  }
  const json = async <T>(url: string, to: string, body?: object): Promise<T> =>
    (await (await request(url, to, body)).json()) as T;
  const entriesBelow = async (folder: string) => {
    const found = await readdir(path.join(fixture.directory, folder), {
      recursive: true,
      withFileTypes: true,
    }).catch(() => []);
    return found.filter((entry) => entry.isFile());
  };
  const filesBelow = async (folder: string) => (await entriesBelow(folder)).map(({ name }) => name);

  /** All contents become two days older: the sweep keeps newer ones, which an upload may use. */
  async function ageContents(): Promise<void> {
    await fixture.owner.query(`UPDATE contents SET linked_at = linked_at - interval '2 days'`);
    const twoDaysAgo = new Date(Date.now() - 48 * 3600 * 1000);
    for (const { parentPath, name } of await entriesBelow('content'))
      await utimes(path.join(parentPath, name), twoDaysAgo, twoDaysAgo);
  }

  it('are Ready and complete after a restart, or Failed, and leave nothing in the store', async () => {
    const first = fixture.start('main');
    const url = await first.url();
    const ids: string[] = [];
    for (let number = 0; number < DOCUMENTS; number += 1) {
      const form = new FormData();
      form.append('document', JSON.stringify({ title: `Document ${number}` }));
      form.append('content', new Blob([Buffer.alloc(DOCUMENT_BYTES, number + 1)]), `${number}.bin`);
      ids.push((await json<{ id: string }>(url, '/documents', form)).id);
    }
    await fixture.kill(first);
    const documents = new Set(await filesBelow('content/objects'));
    expect(documents.size).toBe(DOCUMENTS);

    let interrupted = 0;
    let inDocument = 0;
    for (let round = 0; round < ROUNDS || interrupted === 0; round += 1) {
      const service = fixture.start('main');
      const body = { name: `Round ${round}`, all: true };
      const { id } = await json<Export>(await service.url(), '/exports', body);
      await sleep(Math.random() * 2000);
      await fixture.kill(service);
      const { rows } = await fixture.owner.query<Export>('SELECT status FROM exports WHERE id = $1', [id]);
      if (rows[0]?.status === 'Running') interrupted += 1;
      if ((await filesBelow('content/incoming')).length > 0) inDocument += 1;

      const next = fixture.start('main');
      const nextUrl = await next.url();
      const ended = await waitFor(async () => {
        const found = await json<Export>(nextUrl, `/exports/${id}`);
        return !['Pending', 'Running'].includes(found.status) && found;
      }, `the export ${id}`);
      expect(['Ready', 'Failed']).toContain(ended.status);
      if (ended.status === 'Ready') {
        const content = await request(nextUrl, `/exports/${id}/content`);
        const files = await unzip(Buffer.from(await content.arrayBuffer()));
        expect(damaged(files)).toEqual([]);
        const packed = lines<{ id: string }>(files, 'documents').map((line) => line.id);
        expect(packed.sort()).toEqual([...ids].sort());
        await fixture.owner.query(
          `UPDATE exports SET expires_at = now() - interval '1 second' WHERE id = $1`,
          [id],
        );
      }
      await waitUntil(async () => (await filesBelow('processing')).length === 0, 'the end of processing');
      await fixture.kill(next);
    }
    // The tasks at start end expired exports, and remove packages that a kill has left between a commit and the store.
    await ageContents();
    const last = fixture.start('main');
    await last.url();
    const isSwept = async () => (await filesBelow('content/objects')).every((name) => documents.has(name));
    await waitUntil(isSwept, 'the end of the expired packages');
    const { rows } = await fixture.owner.query('SELECT FROM export_items LIMIT 1');
    expect(rows).toEqual([]);
    process.stderr.write(
      `The service was killed ${ROUNDS} times: ${interrupted} exports were running, ${inDocument} packages were being received\n`,
    );
  });
});
