import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { smallPdf } from '../../../src/tools/demo/small-pdf.js';
import { isPooled } from '../../support/pooler.js';
import { waitUntil } from '../../support/wait-until.js';
import { type ServiceProcess } from '../../support/service/service-process.js';
import { ServiceFixture } from '../../support/service/service-fixture.js';

const EMAIL = 'uploader@people.example';
const CONCURRENT_UPLOADS = 3;
/** How long to wait for a condition. The tests that check speed have their own limits. */
export const WAIT_TIMEOUT_MS = 600_000;

interface Sample {
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: (mark: string) => Buffer;
  /** Expected facts after processing. The mark counts as a word. */
  readonly facts: Facts;
}

interface Facts {
  readonly status: string;
  readonly media_type: string;
  readonly page_count: number | null;
  readonly word_count: number | null;
  readonly failure: string | null;
  readonly notifications: number;
  /** Number of documents that a search for the mark finds. */
  readonly found: number;
}

const read = { status: 'Active', page_count: null, failure: null, notifications: 0, found: 1 };
const LONG = 'Sachverhalt '.repeat(20_000);

/** One sample for each result of processing; quick and slow ones. */
const SAMPLES: readonly Sample[] = [
  {
    fileName: 'note.txt',
    mediaType: 'text/plain',
    bytes: (mark) => Buffer.from(`Ein kurzer Vermerk ${mark}\n`),
    facts: { ...read, media_type: 'text/plain', word_count: 4 },
  },
  {
    fileName: 'long.txt',
    mediaType: 'text/plain',
    bytes: (mark) => Buffer.from(`${LONG}${mark}\n`),
    facts: { ...read, media_type: 'text/plain', word_count: 20_001 },
  },
  {
    fileName: 'plan.pdf',
    mediaType: 'application/pdf',
    bytes: (mark) => smallPdf([`Lageplan ${mark}`, 'Zweite Seite', 'Dritte Seite']),
    facts: { ...read, media_type: 'application/pdf', page_count: 3, word_count: 6 },
  },
  {
    fileName: 'broken.pdf',
    mediaType: 'application/pdf',
    bytes: (mark) => Buffer.from(`%PDF-1.7\n${mark} and no PDF objects`),
    facts: {
      status: 'Active',
      media_type: 'application/pdf',
      page_count: null,
      word_count: null,
      failure: 'Corrupted',
      notifications: 1,
      found: 0,
    },
  },
  {
    fileName: 'page.html',
    mediaType: 'text/html',
    bytes: (mark) => Buffer.from(`<!doctype html><html><body><p>Eine Seite ${mark}</p></body></html>`),
    facts: { ...read, media_type: 'text/html', word_count: 3 },
  },
];

/** No mark is a prefix of another one. */
function markOf(number: number): string {
  return `kennung${String(number).padStart(5, '0')}`;
}

interface Uploaded {
  readonly id: string;
  readonly mark: string;
  readonly sample: Sample;
}

/** Uploads documents and checks them while services and workers are killed. */
export class UploadFixture {
  /** Uploads with the answer 201. */
  readonly uploads: Uploaded[] = [];
  private count = 0;

  private constructor(private readonly fixture: ServiceFixture) {}

  static async prepare(): Promise<UploadFixture> {
    return new UploadFixture(await ServiceFixture.prepare({ built: true, emails: [EMAIL] }));
  }

  cleanUp(): Promise<void> {
    return this.fixture.cleanUp();
  }

  start(entry: 'main' | 'worker', environment: NodeJS.ProcessEnv = {}): ServiceProcess {
    return this.fixture.start(entry, environment);
  }

  kill(process: ServiceProcess): Promise<void> {
    return this.fixture.kill(process);
  }

  /**
   * Waits until the database has closed the connections of killed processes. Until then their workers count as alive, and
   * their last transactions may still be committed. A pooler keeps its idle connections.
   */
  async waitUntilDisconnected(): Promise<void> {
    await waitUntil(async () => {
      const { rows } = await this.fixture.owner.query(
        `SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND application_name LIKE 'filing-service%'
            AND NOT ($1 AND application_name = 'filing-service' AND state = 'idle')`,
        [isPooled()],
      );
      return rows.length === 0;
    }, 'the end of the connections of killed processes');
  }

  /** Uploads `count` samples, several at a time. Returns early when the service does not answer. */
  async upload(url: string, count: number): Promise<void> {
    let left = count;
    const client = async () => {
      while (left > 0) {
        left -= 1;
        const number = (this.count += 1);
        const sample = SAMPLES[number % SAMPLES.length]!;
        const mark = markOf(number);
        const form = new FormData();
        form.append('document', JSON.stringify({ title: `Upload ${number}` }));
        const blob = new Blob([new Uint8Array(sample.bytes(mark))], { type: sample.mediaType });
        form.append('content', blob, sample.fileName);
        const response = await this.fixture
          .send(url, EMAIL, '/documents', { method: 'POST', body: form })
          .catch(() => null);
        if (!response) return;
        const body = (await response.json().catch(() => null)) as { id: string } | null;
        if (!body) return;
        expect([response.status, body]).toMatchObject([201, { status: 'Processing' }]);
        this.uploads.push({ id: body.id, mark, sample });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_UPLOADS }, client));
  }

  async processing(): Promise<number> {
    const { rows } = await this.fixture.owner.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM documents WHERE status = 'Processing'`,
    );
    return rows[0]?.count ?? 0;
  }

  /** Waits until no document is in Processing and no job has to run. */
  async waitUntilProcessed(): Promise<void> {
    const begin = Date.now();
    while ((await this.processing()) > 0) {
      if (Date.now() - begin > WAIT_TIMEOUT_MS) throw new Error('Documents are still in Processing.');
      await sleep(20);
    }
    // The job ends after the document.
    while ((await this.jobs()) > 0) {
      if (Date.now() - begin > WAIT_TIMEOUT_MS) throw new Error('Jobs are still in the queue.');
      await sleep(20);
    }
  }

  /** Expects every upload of all rounds with exactly its facts, including uploads that were saved without an answer. */
  async check(url: string): Promise<void> {
    const { rows } = await this.fixture.owner.query<{ id: string; title: string } & Facts>(
      `SELECT d.id, d.title, d.status, v.media_type, v.page_count, v.word_count, v.failure,
              (SELECT count(*)::int FROM notifications n WHERE n.tenant_id = d.tenant_id AND n.document_id = d.id) AS notifications
         FROM documents d JOIN document_versions v ON v.tenant_id = d.tenant_id AND v.document_id = d.id
        ORDER BY d.id`,
    );
    const known = new Set(rows.map(({ id }) => id));
    expect(this.uploads.filter(({ id }) => !known.has(id))).toEqual([]);
    for (const { id, title, ...facts } of rows) {
      const number = Number(title.replace('Upload ', ''));
      const { found, ...expected } = SAMPLES[number % SAMPLES.length]!.facts;
      expect({ title, ...facts }).toEqual({ title, ...expected });
      const response = await this.fixture.send(url, EMAIL, `/documents?q=${markOf(number)}`);
      const { items } = (await response.json()) as { items: { id: string }[] };
      expect({ title, items: items.map((item) => item.id) }).toEqual({ title, items: found ? [id] : [] });
    }
  }

  /** Names of temporary copies of contents that workers have not removed. */
  async temporaryCopies(): Promise<string[]> {
    const folder = path.join(this.fixture.directory, 'processing');
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  /**
   * Counts the jobs that still have to run. A job that was replaced while a killed worker ran it never runs again; the
   * service deletes it later.
   */
  private async jobs(): Promise<number> {
    const { rows } = await this.fixture.owner.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM graphile_worker._private_jobs WHERE is_available OR locked_at IS NOT NULL`,
    );
    return rows[0]?.count ?? 0;
  }
}
