import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { LibreOffice } from '../../../../src/platform/extraction/conversion/libreoffice.js';
import { type ExtractionFailure } from '../../../../src/platform/extraction/extractor.js';
import { PreviewRenderer } from '../../../../src/resources/documents/previews/preview-renderer.js';
import { buildDocx, paragraph } from '../../../factories/content/office-files.js';
import { buildPdf } from '../../../factories/content/pdf-files.js';
import { saveDocument, saveVersion } from '../../../factories/documents.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { SecondInstance } from '../../../support/service/second-instance.js';
import { TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { waitUntil } from '../../../support/wait-until.js';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const PDF = buildPdf([['eins'], ['zwei']]);

/** Ends a conversion that has begun. */
type End = (failure?: ExtractionFailure) => void;

describe('Conversion of the same content by two processes of the service', () => {
  let folder: string;
  let service: TestService;
  let second: SecondInstance;
  let tenant: TestTenant;
  let editor: Actor;
  let id: string;
  let skippedMs: number;
  let begun: End[];
  let running: number;
  let requests: Promise<unknown>[];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'filing-conversions-'));
    await writeFile(path.join(folder, 'soffice'), '');
    await chmod(folder, 0o755);
    const before = process.env.PATH;
    process.env.PATH = `${folder}${path.delimiter}${before}`;
    try {
      jest.spyOn(LibreOffice.prototype, 'convert').mockResolvedValue({ result: PDF, failure: null });
      service = await TestService.start({ CONVERTER: 'libreoffice' });
      second = await SecondInstance.start(service);
    } finally {
      process.env.PATH = before;
    }
  });
  afterAll(async () => {
    await second.stop();
    await service.stop();
    await rm(folder, { recursive: true });
  });

  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
    id = await saved();
    skippedMs = 0;
    begun = [];
    running = 0;
    requests = [];
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + skippedMs);
    jest.spyOn(LibreOffice.prototype, 'convert').mockImplementation(async (_, use) => {
      running += 1;
      const failure = await new Promise<ExtractionFailure | undefined>((resolve) => begun.push(resolve));
      running -= 1;
      if (failure) return { result: null, failure };
      return { result: await use(Readable.from([PDF])), failure: null };
    });
  });
  afterEach(async () => {
    // If the case has failed, requests can be in progress.
    const ending = setInterval(() => begun.forEach((end) => end()), 10);
    await Promise.allSettled(requests);
    clearInterval(ending);
    jest.restoreAllMocks();
  });

  async function saved(): Promise<string> {
    const document = await saveDocument(tenant, editor);
    // Another content each time: the first instance keeps PDFs for the files of all tenants together (TestService).
    const bytes = buildDocx({ body: paragraph(document.id) });
    await saveVersion(tenant, editor, document.id, { bytes, mediaType: DOCX });
    return document.id;
  }

  function get(actor = editor, query = '', of = id) {
    const request = actor.get(`/documents/${of}/preview${query}`).then((response) => response);
    requests.push(request);
    return request;
  }

  /** The connections that hold the lock or try to get it. */
  const locks = () =>
    service.query<{ pid: number; isHeld: boolean; backend_xmin: string | null }>(
      `SELECT a.pid, a.backend_xmin, l.pid IS NOT NULL AS "isHeld" FROM pg_stat_activity a
         LEFT JOIN pg_locks l ON l.pid = a.pid AND l.locktype = 'advisory' AND l.granted
        WHERE a.datname = current_database() AND a.application_name = 'filing-service lock'`,
    );

  /** Requests a page of the first process, and the same or another one of the second, which waits. */
  async function requestTwice(query = '') {
    const first = get();
    await waitUntil(() => begun.length === 1, 'the first conversion');
    const other = get(second.actor(editor), query);
    await waitUntil(async () => begun.length === 2 || (await locks()).length === 2, 'the second process');
    expect(running).toBe(1);
    return [first, other] as const;
  }

  async function statusesOf(responses: readonly ReturnType<typeof get>[]): Promise<number[]> {
    return (await Promise.all(responses)).map(({ status }) => status);
  }

  it('happens once for the same page', async () => {
    const responses = await requestTwice();
    begun[0]?.();
    await waitUntil(async () => (await locks()).length === 0 || begun.length === 2);
    begun[1]?.();
    expect(await statusesOf(responses)).toEqual([200, 200]);
    expect(begun).toHaveLength(1);
  });

  it('happens in one process after the other for different pages', async () => {
    const responses = await requestTwice('?page=2');
    begun[0]?.();
    await waitUntil(() => begun.length === 2);
    expect(running).toBe(1);
    begun[1]?.();
    expect(await statusesOf(responses)).toEqual([200, 200]);
  });

  it('happens once for all pages of a file that cannot be converted', async () => {
    const responses = await requestTwice('?page=2&width=800');
    begun[0]?.('TimeLimitExceeded');
    await waitUntil(async () => (await locks()).length === 0 || begun.length === 2);
    begun[1]?.('TimeLimitExceeded');
    for (const response of responses) expectProblem(await response, 'document.without-preview');
    expect(begun).toHaveLength(1);
  });

  it('begins in the second process when the first one has lost its connection', async () => {
    const responses = await requestTwice();
    const held = (await locks()).filter(({ isHeld }) => isHeld);
    expect(held).toHaveLength(1);
    await service.query('SELECT pg_terminate_backend($1::int)', [held[0]?.pid]);
    await waitUntil(() => begun.length === 2);
    for (const end of begun) end();
    expect(await statusesOf(responses)).toEqual([200, 200]);
  });

  it.each([
    ['30 seconds', 30_000, false],
    ['10 seconds while previews of other files wait', 10_000, true],
  ])('returns 503 after waiting for the other process for %s', async (_, ms, othersWait) => {
    const [first, waiting] = await requestTwice();
    const others: ReturnType<typeof get>[] = [];
    if (othersWait) {
      const { waiting: names } = second.app.get<{ readonly waiting: readonly string[] }>(PreviewRenderer);
      others.push(get(second.actor(editor), '', await saved()));
      await waitUntil(() => names.length === 1);
    }
    skippedMs = ms;
    const response = await waiting;
    expectProblem(response, 'service.unavailable');
    expect(response.headers['retry-after']).toBe('5');
    expect(running).toBe(1);
    await waitUntil(() => begun.length === 1 + others.length);
    for (const end of begun) end();
    expect(await statusesOf([first, ...others])).toEqual([200, ...others.map(() => 200)]);
  });

  it('holds no snapshot that would impede vacuum', async () => {
    const responses = await requestTwice();
    expect((await locks()).filter(({ isHeld }) => isHeld)).toMatchObject([{ backend_xmin: null }]);
    begun[0]?.();
    await statusesOf(responses);
  });

  it('does not need the connection for the lock', async () => {
    const { extra } = second.app.get(DataSource).options as { extra: { directUrl?: string } };
    const { directUrl } = extra;
    extra.directUrl = 'postgres://127.0.0.1:1/none';
    try {
      const response = get(second.actor(editor));
      await waitUntil(() => begun.length === 1);
      begun[0]?.();
      expect((await response).status).toBe(200);
    } finally {
      extra.directUrl = directUrl;
    }
  });
});
