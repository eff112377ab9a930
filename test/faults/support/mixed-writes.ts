import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import {
  type Answer,
  KeepAliveConnection,
  type FailedExchange,
  type OutgoingRequest,
  isAnswer,
} from './keep-alive-connection.js';
import { type ServiceFixture, SLUG } from '../../support/service/service-fixture.js';

/** A client repeats these writes in this order. Uploads, grants and renamings refer to the file of the first one. */
const KINDS = ['file', 'upload', 'grant', 'rename', 'tag'] as const;
export type WriteKind = (typeof KINDS)[number];

const WAIT_TIMEOUT_MS = 600_000;
const DELAY_AFTER_ERROR_MS = 50;
const BASE = `/api/v1/t/${SLUG}`;

/** A write of a client. It is sent again with the same Idempotency-Key until it is acknowledged. */
export interface Write {
  readonly kind: WriteKind;
  /** Unique name of the created or renamed resource. */
  readonly mark: string;
  /** Index of the client. */
  readonly client: number;
  readonly key: string;
  /** Content of an upload. */
  readonly bytes: Buffer;
  /** Id of the resource; set when the write is acknowledged. */
  id?: string;
}

export interface ErrorAnswer {
  readonly status: number;
  readonly type: string;
  readonly retryAfter: string | undefined;
  readonly at: number;
}

interface Client {
  readonly number: number;
  readonly email: string;
  readonly connection: KeepAliveConnection;
  token: string;
  userId: string;
  steps: number;
  fileId: string;
  pending?: Write;
  /** The last acknowledged write with an Idempotency-Key. */
  latest?: Write;
}

export function emailsOf(count: number): string[] {
  return Array.from({ length: count }, (_, number) => `client${number}@people.example`);
}

/** Concurrent clients. Each sends one write at a time; acknowledged writes are recorded. */
export class MixedWrites {
  readonly acknowledged: Write[] = [];
  readonly errorAnswers: ErrorAnswer[] = [];
  readonly failures: (FailedExchange & { readonly mark: string })[] = [];
  /** By index of the client. */
  readonly lastAcknowledgedAt: number[] = [];
  private readonly clients: Client[];
  private fileTypeId = '';

  /** @param count number of clients; their addresses ({@link emailsOf}) must be expected members of the tenant */
  constructor(
    private readonly fixture: ServiceFixture,
    count: number,
  ) {
    this.clients = emailsOf(count).map((email, number) => ({
      number,
      email,
      connection: new KeepAliveConnection(),
      token: '',
      userId: '',
      steps: 0,
      fileId: '',
    }));
  }

  close(): void {
    for (const { connection } of this.clients) connection.close();
  }

  /** Sends the first request of each client and creates their file type. */
  async begin(url: string): Promise<void> {
    for (const client of this.clients) {
      client.token = await this.fixture.token(client.email);
      const me = await this.request(url, client, { method: 'GET', path: '/me' });
      client.userId = (parsed(me) as { user: { id: string } }).user.id;
    }
    const fileType = { key: 'faults', nameDe: 'Fehler', nameEn: 'Faults' };
    const created = await this.request(url, this.clients[0]!, json('POST', '/file-types', fileType));
    this.fileTypeId = (parsed(created) as { id: string }).id;
  }

  /** Uploads a document with these bytes into a new file and records both as acknowledged; returns the document id. */
  async upload(url: string, name: string, bytes: Buffer): Promise<string> {
    const [client] = this.clients as [Client];
    const write = { mark: `file-${name}`, client: 0, key: randomUUID(), bytes: Buffer.alloc(0) };
    const file = { fileTypeId: this.fileTypeId, number: write.mark, name: 'new' };
    const { id: fileId } = parsed(await this.request(url, client, json('POST', '/files', file))) as {
      id: string;
    };
    const document = { title: name, fileIds: [fileId] };
    const { id } = parsed(await this.request(url, client, form(document, bytes))) as { id: string };
    this.acknowledged.push(
      { ...write, kind: 'file', id: fileId },
      { ...write, kind: 'upload', mark: name, bytes, id },
    );
    return id;
  }

  /** Runs all clients until their requests fail or `until` aborts. True when no request failed. */
  async run(url: string, { until, pauseMs = 0 }: { until?: AbortSignal; pauseMs?: number } = {}) {
    const results = await Promise.all(
      this.clients.map(async (client) => {
        while (!until?.aborted) {
          if (!(await this.step(url, client))) return false;
          if (pauseMs > 0) await sleep(pauseMs);
        }
        return true;
      }),
    );
    return results.every((isAnswered) => isAnswered);
  }

  async waitForMore(count: number): Promise<void> {
    const goal = this.acknowledged.length + count;
    for (const begin = Date.now(); this.acknowledged.length < goal; await sleep(2)) {
      if (Date.now() - begin > WAIT_TIMEOUT_MS) throw new Error('Timed out waiting for acknowledged writes.');
    }
  }

  get pending(): Write[] {
    return this.clients.flatMap(({ pending }) => pending ?? []);
  }

  /** Sends the pending writes again until they are acknowledged. */
  async retryPending(url: string): Promise<void> {
    await Promise.all(
      this.clients.map(async (client) => {
        while (client.pending)
          if (!(await this.step(url, client))) throw new Error('The service does not answer.');
      }),
    );
  }

  /** Sends the latest write of each client again with its key and expects the same id. Returns the number of writes. */
  async repeatLatest(url: string): Promise<number> {
    const repeated = this.clients.filter(({ latest }) => latest);
    for (const client of repeated) {
      const answer = await this.request(url, client, this.requestOf(client, client.latest!));
      expect((parsed(answer) as { id: string }).id).toBe(client.latest?.id);
    }
    return repeated.length;
  }

  async checkContents(url: string, uploads: readonly Write[]): Promise<void> {
    const left = uploads.filter(({ kind }) => kind === 'upload');
    await Promise.all(
      this.clients.map(async (client) => {
        for (let upload; (upload = left.pop());) {
          const { body } = await this.request(url, client, {
            method: 'GET',
            path: `/documents/${upload.id}/content`,
          });
          expect({ mark: upload.mark, isWhole: body.equals(upload.bytes) }).toEqual({
            mark: upload.mark,
            isWhole: true,
          });
        }
      }),
    );
  }

  /** False when there was no answer. */
  private async step(url: string, client: Client): Promise<boolean> {
    const write = (client.pending ??= this.next(client));
    const outcome = await this.send(url, client, this.requestOf(client, write));
    if (!isAnswer(outcome)) {
      this.failures.push({ ...outcome, mark: write.mark });
      return false;
    }
    const { status, headers } = outcome;
    if (status !== (write.kind === 'rename' ? 200 : 201)) {
      const { type = '' } = problemOf(outcome);
      this.errorAnswers.push({ status, type, retryAfter: headers['retry-after'], at: Date.now() });
      await sleep(DELAY_AFTER_ERROR_MS);
      return true;
    }
    write.id = (parsed(outcome) as { id: string }).id;
    if (write.kind === 'file') client.fileId = write.id;
    if (write.kind !== 'rename') client.latest = write;
    client.pending = undefined;
    this.acknowledged.push(write);
    this.lastAcknowledgedAt[client.number] = Date.now();
    return true;
  }

  private next(client: Client): Write {
    const step = (client.steps += 1);
    const kind = KINDS[(step - 1) % KINDS.length]!;
    const mark = `${kind}-${client.number}-${step}`;
    const bytes = Buffer.from(kind === 'upload' ? `${mark}\n`.repeat(1 + ((step * 37) % 1500)) : '');
    return { kind, mark, client: client.number, key: randomUUID(), bytes };
  }

  private requestOf({ number, fileId }: Client, { kind, mark, key, bytes }: Write): OutgoingRequest {
    const neighbour = this.clients[(number + 1) % this.clients.length]!;
    const keyed = (request: OutgoingRequest) => ({
      ...request,
      headers: { ...request.headers, 'Idempotency-Key': key },
    });
    switch (kind) {
      case 'file':
        return keyed(json('POST', '/files', { fileTypeId: this.fileTypeId, number: mark, name: 'new' }));
      case 'upload':
        return keyed(form({ title: mark, fileIds: [fileId] }, bytes));
      case 'grant': {
        const target = { targetType: 'File', targetId: fileId, level: 'Read' };
        const subject = { subjectType: 'User', subjectId: neighbour.userId };
        return keyed(json('POST', '/access-grants', { ...subject, ...target, reason: mark }));
      }
      case 'rename':
        return json('PUT', `/files/${fileId}`, { name: mark });
      case 'tag':
        return keyed(json('POST', '/tags', { name: mark }));
    }
  }

  private send(url: string, { connection, token }: Client, request: OutgoingRequest) {
    const headers = { ...request.headers, Authorization: `Bearer ${token}` };
    return connection.send(url, { ...request, path: `${BASE}${request.path}`, headers });
  }

  /** Sends a request that must succeed. */
  private async request(
    url: string,
    client: Client,
    request: Omit<OutgoingRequest, 'headers'> & Partial<OutgoingRequest>,
  ): Promise<Answer> {
    const outcome = await this.send(url, client, { headers: {}, ...request });
    if (!isAnswer(outcome)) throw new Error(`${request.method} ${request.path}: ${outcome.error}`);
    const { status, body } = outcome;
    if (status >= 300) throw new Error(`${request.method} ${request.path}: ${status} ${body.toString()}`);
    return outcome;
  }
}

function json(method: string, path: string, body: object): OutgoingRequest {
  const headers = { 'Content-Type': 'application/json' };
  return { method, path, headers, body: Buffer.from(JSON.stringify(body)) };
}

/** `POST /documents` as a multipart form. */
function form(document: object, bytes: Buffer): OutgoingRequest {
  const boundary = 'between-the-parts';
  const part = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  const body = Buffer.concat([
    Buffer.from(`${part('name="document"')}\r\n${JSON.stringify(document)}\r\n`),
    Buffer.from(`${part('name="content"; filename="note.txt"')}Content-Type: text/plain\r\n\r\n`),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
  return { method: 'POST', path: '/documents', headers, body };
}

function parsed({ body }: Answer): unknown {
  return JSON.parse(body.toString());
}

/** The problem document, or an empty object when the body is not one. */
function problemOf(answer: Answer): { type?: string; status?: number } {
  const isProblem = answer.headers['content-type']?.startsWith('application/problem+json');
  return isProblem ? (parsed(answer) as { type: string; status: number }) : {};
}
