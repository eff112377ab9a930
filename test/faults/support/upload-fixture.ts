import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { smallPdf } from '../../../src/tools/demo/small-pdf.js';
import { waitUntil } from '../../support/wait-until.js';
import { type ServiceProcess } from '../../support/service/service-process.js';
import { ServiceFixture, SLUG } from './service-fixture.js';

const EMAIL = 'uploader@people.example';
const CONCURRENT_UPLOADS = 3;
/** For what is to happen at all: how soon is another matter. */
export const WAIT_TIMEOUT_MS = 600_000;

interface Sample {
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: (mark: string) => Buffer;
  /** What is to be known of it afterwards; the mark counts as a word. */
  readonly facts: Facts;
}

interface Facts {
  readonly status: string;
  readonly media_type: string;
  readonly page_count: number | null;
  readonly word_count: number | null;
  readonly failure: string | null;
  /** Notifications that it was told of by. */
  readonly notifications: number;
  /** Documents that its mark is found in by a search for it. */
  readonly found: number;
}

const read = { status: 'Active', page_count: null, failure: null, notifications: 0, found: 1 };
const LONG = 'Sachverhalt '.repeat(20_000);

/** One of each kind of end, quick and slow ones. */
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
    bytes: (mark) => Buffer.from(`%PDF-1.7\n${mark} and then nothing that a PDF has`),
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

/** None is the beginning of another one. */
function markOf(number: number): string {
  return `kennung${String(number).padStart(5, '0')}`;
}

interface Uploaded {
  readonly id: string;
  readonly mark: string;
  readonly sample: Sample;
}

/** Uploads, and what becomes of them while processes that serve and work are killed. */
export class UploadFixture {
  /** Uploads that were answered 201. */
  readonly uploads: Uploaded[] = [];
  private count = 0;

  private constructor(private readonly fixture: ServiceFixture) {}

  static async prepare(): Promise<UploadFixture> {
    return new UploadFixture(await ServiceFixture.prepare({ emails: [EMAIL] }));
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
   * Waits until the database knows, too, that nobody is there any more: until then a worker counts as alive, and what
   * was sent last may yet be committed.
   */
  async waitUntilDisconnected(): Promise<void> {
    await waitUntil(async () => {
      const { rows } = await this.fixture.owner.query(
        `SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND application_name LIKE 'filing-service%'`,
      );
      return rows.length === 0;
    }, 'The end of the connections of who was killed');
  }

  /** Uploads as many, one of each kind after the other, some at the same time; gives up when nobody answers any more. */
  async upload(url: string, count: number): Promise<void> {
    const token = await this.fixture.token(EMAIL);
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
        const response = await fetch(`${url}/api/v1/t/${SLUG}/documents`, {
          method: 'POST',
          // A connection of its own: who loses a kept one, because nothing was sent for a while, would be gone for good.
          headers: { Authorization: `Bearer ${token}`, Connection: 'close' },
          body: form,
        }).catch(() => null);
        if (!response) return;
        const body = (await response.json().catch(() => null)) as { id: string } | null;
        if (!body) return;
        expect([response.status, body]).toMatchObject([201, { status: 'Processing' }]);
        this.uploads.push({ id: body.id, mark, sample });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_UPLOADS }, client));
  }

  /** How many documents are being processed. */
  async processing(): Promise<number> {
    const { rows } = await this.fixture.owner.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM documents WHERE status = 'Processing'`,
    );
    return rows[0]?.count ?? 0;
  }

  /** Waits until nothing is being processed. */
  async waitUntilProcessed(): Promise<void> {
    const begin = Date.now();
    while ((await this.processing()) > 0) {
      if (Date.now() - begin > WAIT_TIMEOUT_MS) throw new Error('Documents are stuck in Processing.');
      await sleep(20);
    }
    // The job's own end follows that of the document.
    while ((await this.jobs()) > 0) {
      if (Date.now() - begin > WAIT_TIMEOUT_MS) throw new Error('Jobs are left in the queue.');
      await sleep(20);
    }
  }

  /** Every upload, of all rounds, is there with exactly the facts of its content; so is what was never answered. */
  async check(url: string): Promise<void> {
    const token = await this.fixture.token(EMAIL);
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
      const response = await fetch(`${url}/api/v1/t/${SLUG}/documents?q=${markOf(number)}`, {
        headers: { Authorization: `Bearer ${token}`, Connection: 'close' },
      });
      const { items } = (await response.json()) as { items: { id: string }[] };
      expect({ title, items: items.map((item) => item.id) }).toEqual({ title, items: found ? [id] : [] });
    }
  }

  /** Copies of contents that workers have left. */
  async temporaryCopies(): Promise<string[]> {
    const folder = path.join(this.fixture.directory, 'processing');
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  private async jobs(): Promise<number> {
    const { rows } = await this.fixture.owner.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM graphile_worker._private_jobs',
    );
    return rows[0]?.count ?? 0;
  }
}
