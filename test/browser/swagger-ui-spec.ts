import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { TAGS } from '../../src/platform/http/endpoint/operation-groups.js';
import { DemoService } from '../support/service/demo-service.js';
import { DocumentationPage, WAIT_TIMEOUT_MS } from './documentation-page.js';

jest.setTimeout(900_000);

describe('Swagger UI in a browser', () => {
  let service: DemoService;
  let browser: Browser;
  let context: BrowserContext;
  let page: DocumentationPage;
  beforeAll(async () => {
    // A limit that a person can reach by hand, however slow the machine, and a demo tenant can be made within.
    service = await DemoService.start({ RATE_LIMIT_PER_MINUTE: '60', RATE_LIMIT_BURST: '30' });
    browser = await chromium.launch({
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
      timeout: WAIT_TIMEOUT_MS,
    });
    context = await browser.newContext({ viewport: { width: 1280, height: 1400 } });
    context.setDefaultTimeout(WAIT_TIMEOUT_MS);
    page = await DocumentationPage.open(context, `${service.url}/docs`);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  // The policy of the page forbids everything that it does not need; nothing of it may need more.
  afterEach(() => expect(page.consoleErrors).toEqual([]));

  it('shows all groups of operations, files first, without marking additions in titles', async () => {
    expect(await page.groups()).toEqual(Object.keys(TAGS));
    expect(await page.introduction()).toContain('First requests.');
    const summary = await (await page.operation('Files', 'GetFile')).summary();
    expect(summary).toContain('Read a file');
    expect(summary).not.toContain('addition');
  });

  it('lists the problems of an operation in a line each, and shows the example of one on demand', async () => {
    const create = await page.operation('Files', 'CreateFile');
    expect(await create.problem('409')).toContain('file.number-taken');
    expect(await create.problem('409')).not.toContain('/problems/file.number-taken');
    await create.showExample('409');
    expect(await create.problem('409')).toContain('"type": "/problems/file.number-taken"');
    expect(await create.problem('401')).not.toContain('/problems/authentication.required');
  });

  it('logs in as a demo person, and stays so after a reload', async () => {
    expect((await (await page.operation('Me', 'GetTenantMe')).send()).status).toBe(401);
    await page.logIn('demo-editor');
    await page.reload();
    await page.waitUntilLoggedIn();
    const { status, body } = await (await page.operation('Me', 'GetTenantMe')).send();
    expect({ status, body }).toEqual({ status: 200, body: expect.stringContaining('editor@demo.example') });
  });

  it('lists the files of the demo tenant, and shows the request for a command line', async () => {
    const list = await page.operation('Files', 'ListFiles');
    expect(await list.value('tenant')).toBe('demo');
    await list.fill('q', 'feuer');
    const { status, body } = await list.send();
    expect({ status, body }).toEqual({ status: 200, body: expect.stringContaining('BAU-2026-0001') });
    expect(await list.snippet()).toMatch(/curl -X 'GET'[^]*files\?\S*q=feuer/);
  });

  it('reads the file that its examples speak of', async () => {
    const { status, body } = await (await page.operation('Files', 'GetFile')).send();
    expect({ status, body }).toEqual({ status: 200, body: expect.stringContaining('BAU-2026-0001') });
  });

  it('creates the file of the example; once more is the first problem that somebody meets', async () => {
    const create = await page.operation('Files', 'CreateFile');
    const created = await create.send();
    expect({ status: created.status, body: created.body }).toEqual({
      status: 201,
      body: expect.stringContaining('AZ-2026/0042'),
    });
    const again = await create.send();
    expect({ status: again.status, body: again.body }).toEqual({
      status: 409,
      body: expect.stringContaining('/problems/file.number-taken'),
    });
  });

  it('shows what is wrong with a request, value by value', async () => {
    const create = await page.operation('Files', 'CreateFile');
    await create.fillBody('{ "fileTypeId": "x", "number": "", "name": "One" }');
    const { status, body } = await create.send();
    expect(status).toBe(400);
    for (const part of ['"errors"', '"fileTypeId"', 'must be a UUID', 'must not be empty'])
      expect(body).toContain(part);
  });

  it('uploads a document, and downloads what was uploaded', async () => {
    const bytes = Buffer.from('Ein Lageplan in Worten: links die Wache, rechts der Hof.\n');
    const create = await page.operation('Documents', 'CreateDocument');
    await create.block
      .locator('input[type=file]')
      .setInputFiles({ name: 'lageplan.txt', mimeType: 'text/plain', buffer: bytes });
    const created = await create.send();
    expect({ status: created.status, body: created.body }).toEqual({
      status: 201,
      body: expect.stringContaining('lageplan.txt'),
    });

    const content = await page.operation('Documents', 'GetDocumentContent');
    await content.fill('documentId', /"id": "([0-9a-f-]{36})"/.exec(created.body)?.[1] ?? '');
    expect((await content.send()).status).toBe(200);
    const download = await content.download();
    expect(await readFile(await download.path())).toEqual(bytes);
  });

  it('shows when it has been too much, and how long to wait', async () => {
    const me = await page.operation('Me', 'GetTenantMe');
    // By hand nobody is that fast; the same person has something running at a command line, too.
    const headers = { authorization: `Bearer ${await storedToken(context)}` };
    let done = false;
    const others = Array.from({ length: 8 }, async () => {
      while (!done) await (await fetch(`${service.url}/api/v1/t/demo/me`, { headers })).text();
    });
    let answer = await me.send();
    for (let tries = 0; answer.status !== 429 && tries < 10; tries += 1) answer = await me.send();
    done = true;
    await Promise.all(others);
    expect(answer).toEqual({
      status: 429,
      headers: expect.stringMatching(/retry-after: \d+/),
      body: expect.stringContaining('/problems/request.rate-limited'),
    });
    expect(answer.headers).toMatch(/ratelimit: "caller";r=0;t=\d+/);
    expect(answer.headers).toContain('ratelimit-policy: "caller";q=30');
  });
});

/** What Swagger UI keeps over a reload. */
async function storedToken(context: BrowserContext): Promise<string> {
  const { origins } = await context.storageState();
  const authorized = origins
    .flatMap(({ localStorage }) => localStorage)
    .find(({ name }) => name === 'authorized');
  return /"access_token":"([^"]+)"/.exec(authorized?.value ?? '')?.[1] ?? '';
}
