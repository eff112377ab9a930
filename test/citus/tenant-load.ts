import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../support/wait-until.js';

interface File {
  readonly id: string;
  readonly number: string;
  readonly name: string;
}

interface Page {
  readonly items: File[];
  readonly nextCursor: string | null;
}

/** Time between two attempts of a request that was answered 503. */
const RETRY_MS = 50;

/** Requests to one tenant, one after another: creates a file with the next number, reads it, renames it, and so on. */
export class TenantLoad {
  private readonly stopped = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private fileTypeId = '';
  /** Files of the answered requests, with their last name. */
  private readonly files = new Map<string, File>();
  /** Answers that are neither expected nor 503 with Retry-After. */
  readonly unexpected: string[] = [];
  /** Number of completed steps: a file created, read and renamed. */
  steps = 0;
  /** Number of answers 503. */
  unavailable = 0;

  constructor(
    readonly slug: string,
    private readonly url: string,
    private readonly token: string,
  ) {}

  async start(): Promise<void> {
    const body = { key: 'load', nameDe: 'Last', nameEn: 'Load' };
    this.fileTypeId = (await this.send<File>('POST', '/file-types', 201, body)).id;
    this.running = this.run().catch((error: Error) => void this.unexpected.push(error.message));
  }

  /** Waits until further steps are complete. */
  async waitForSteps(count: number): Promise<void> {
    const goal = this.steps + count;
    await waitUntil(
      () => this.steps >= goal,
      () => `${count} steps of ${this.slug}; ${this.unexpected.join('\n')}`,
    );
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  /** Names of the files by number that the tenant should have, and those that it has. */
  async compare(): Promise<{ expected: [string, string][]; found: [string, string][] }> {
    const found: [string, string][] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query = `?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const page: Page = await this.send<Page>('GET', `/files${query}`, 200);
      found.push(...page.items.map(({ number, name }): [string, string] => [number, name]));
      cursor = page.nextCursor;
    }
    const byNumber = ([one]: [string, string], [other]: [string, string]) => (one < other ? -1 : 1);
    const expected = [...this.files.values()].map(({ number, name }): [string, string] => [number, name]);
    return { expected: expected.sort(byNumber), found: found.sort(byNumber) };
  }

  private async run(): Promise<void> {
    for (let index = 1; !this.stopped.signal.aborted; index += 1) {
      const number = `${this.slug}-${String(index).padStart(6, '0')}`;
      const file = await this.send<File>('POST', '/files', 201, {
        fileTypeId: this.fileTypeId,
        number,
        name: this.slug,
      });
      this.expect(file, number, this.slug);
      this.files.set(number, file);
      this.expect(await this.send<File>('GET', `/files/${file.id}`, 200), number, this.slug);
      const name = `${this.slug} ${index}`;
      const renamed = await this.send<File>('PUT', `/files/${file.id}`, 200, { name });
      this.expect(renamed, number, name);
      this.files.set(number, renamed);
      this.steps += 1;
    }
  }

  private expect(file: File, number: string, name: string): void {
    if (file.number !== number || file.name !== name)
      this.unexpected.push(`${JSON.stringify(file)} instead of ${number} with the name ${name}`);
  }

  /** Repeats a request until it is answered with another status than 503. A POST has the same Idempotency-Key each time. */
  private async send<T>(method: string, path: string, status: number, body?: object): Promise<T> {
    const key = randomUUID();
    for (;;) {
      const response = await fetch(`${this.url}/api/v1/t/${this.slug}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.token}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(method === 'POST' && { 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status === status) return JSON.parse(text) as T;
      if (response.status !== 503 || !response.headers.get('retry-after')) {
        this.unexpected.push(`${method} ${path}: ${response.status} ${text}`);
        if (response.status < 500) throw new Error(this.unexpected.at(-1));
      }
      this.unavailable += 1;
      await sleep(RETRY_MS);
    }
  }
}
