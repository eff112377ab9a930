import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Browser, type BrowserContext } from 'playwright-core';
import { OPERATION_GROUPS } from '../../src/platform/http/endpoint/operation-groups.js';
import { DemoService } from '../support/service/demo-service.js';
import { DocumentationPage } from './documentation-page.js';
import { WAIT_TIMEOUT_MS, launchBrowser } from './launch-browser.js';

jest.setTimeout(900_000);

describe('Swagger UI', () => {
  let service: DemoService;
  let browser: Browser;
  let context: BrowserContext;
  let page: DocumentationPage;
  beforeAll(async () => {
    // A limit that this test can exceed, but that is sufficient to create the demo tenant.
    const limits = { RATE_LIMIT_PER_MINUTE: '60', RATE_LIMIT_BURST: '30', RATE_LIMIT_READ_MS: '60000' };
    service = await DemoService.start(limits);
    browser = await launchBrowser();
    context = await browser.newContext({ viewport: { width: 1280, height: 1400 } });
    context.setDefaultTimeout(WAIT_TIMEOUT_MS);
    page = await DocumentationPage.open(context, `${service.url}/docs`);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  // No violation of the strict content security policy.
  afterEach(() => expect(page.consoleErrors).toEqual([]));

  it('shows all operation groups, files first, and titles without markers', async () => {
    expect(await page.groups()).toEqual(Object.keys(OPERATION_GROUPS));
    expect(await page.introduction()).toContain('First requests.');
    const summary = await (await page.operation('Files', 'GetFile')).summary();
    expect(summary).toContain('Get a file');
    expect(summary).not.toContain('addition');
  });

  it('fits a telephone, and is dark if the browser prefers it', async () => {
    const telephone = await browser.newContext({
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    telephone.setDefaultTimeout(WAIT_TIMEOUT_MS);
    const narrow = await DocumentationPage.open(telephone, `${service.url}/docs`);
    const list = await narrow.operation('Files', 'ListFiles');
    await list.send();
    const [text, button] = await list.colors('403');
    expect(button).toBe(text);
    await list.showExample('403');
    await narrow.operation('Documents', 'SearchDocuments');
    expect(await narrow.layout()).toEqual({ width: 390, background: 'rgb(28, 32, 34)' });
    expect(narrow.consoleErrors).toEqual([]);
    await telephone.close();
  });

  it('lists each problem of an operation on one line and shows its example on request', async () => {
    const create = await page.operation('Files', 'CreateFile');
    expect(await create.problem('409')).toContain('file.number-taken');
    expect(await create.problem('409')).not.toContain('/problems/file.number-taken');
    await create.showExample('409');
    expect(await create.problem('409')).toContain('"type": "/problems/file.number-taken"');
    expect(await create.problem('401')).not.toContain('/problems/authentication.required');
  });

  it('logs in as a demo user and stays logged in after a reload', async () => {
    expect((await (await page.operation('Me', 'GetTenantMe')).send()).status).toBe(401);
    await page.logIn('demo-editor');
    await page.reload();
    await page.waitUntilLoggedIn();
    const { status, body } = await (await page.operation('Me', 'GetTenantMe')).send();
    expect({ status, body }).toEqual({ status: 200, body: expect.stringContaining('editor@demo.example') });
  });

  it('lists the files of the demo tenant and shows the curl command', async () => {
    const list = await page.operation('Files', 'ListFiles');
    expect(await list.value('tenant')).toBe('demo');
    await list.fill('q', 'feuer');
    const { status, body } = await list.send();
    expect({ status, body }).toEqual({ status: 200, body: expect.stringContaining('BAU-2026-0001') });
    expect(await list.snippet()).toMatch(/curl -X 'GET'[^]*files\?\S*q=feuer/);
  });

  it('executes GetFile with the example id', async () => {
    const { status, body } = await (await page.operation('Files', 'GetFile')).send();
    expect({ status, body }).toEqual({ status: 200, body: expect.stringContaining('BAU-2026-0001') });
  });

  it('creates the file of the example, and shows the problem of a second attempt', async () => {
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

  it('shows all invalid values of a request', async () => {
    const create = await page.operation('Files', 'CreateFile');
    await create.fillBody('{ "fileTypeId": "x", "number": "", "name": "One" }');
    const { status, body } = await create.send();
    expect(status).toBe(400);
    for (const part of ['"errors"', '"fileTypeId"', 'must be a UUID', 'must not be empty'])
      expect(body).toContain(part);
  });

  it('uploads a document and downloads its content', async () => {
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

  it('shows the 429 and the time to wait', async () => {
    const me = await page.operation('Me', 'GetTenantMe');
    // Requests outside the page use up most of the limit of the same user.
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

async function storedToken(context: BrowserContext): Promise<string> {
  const { origins } = await context.storageState();
  const authorized = origins
    .flatMap(({ localStorage }) => localStorage)
    .find(({ name }) => name === 'authorized');
  return /"access_token":"([^"]+)"/.exec(authorized?.value ?? '')?.[1] ?? '';
}
