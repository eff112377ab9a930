import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { saveDocument, saveVersion } from '../factories/documents.js';
import { saveFile } from '../factories/files.js';
import { createExport, packageOf } from '../resources/exports/support/packages.js';
import { TestService } from '../support/service/service.js';
import { WAIT_TIMEOUT_MS, launchBrowser } from './launch-browser.js';

jest.setTimeout(900_000);

/** Folder for screenshots. If it is not set, none are saved. */
const SCREENSHOTS = process.env['SCREENSHOTS'];
const TITLES = [
  'Bauantrag Feuerwache Nord',
  '<script>document.title = "run"</script>',
  '"><img src=x onerror="document.title = \'run\'">',
  'Übergröße 🚒',
  'W'.repeat(300),
];

describe('The page of a package', () => {
  let browser: Browser;
  let folder: string;
  let page: Page;
  const errors: string[] = [];
  const urls: string[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
    folder = await mkdtemp(path.join(tmpdir(), 'filing-package-'));
    const tenant = await (await TestService.shared()).tenant();
    const admin = await tenant.as('administrator');
    const file = await saveFile(tenant, admin, { number: 'BAU-2026-0001', name: 'Neubau </h2><b>Nord</b>' });
    for (const title of TITLES) {
      const { id } = await saveDocument(tenant, admin, { title, fileIds: [file.id] });
      for (const bytes of [`first ${title}`, title])
        await saveVersion(tenant, admin, id, { bytes, fileName: 'scan.txt', mediaType: 'text/plain' });
    }
    await saveDocument(tenant, admin, { title: 'Ohne Inhalt' });
    const { id } = await createExport(admin, { all: true, name: 'Gesamter Bestand <i>2026</i>' });
    for (const [name, bytes] of await packageOf(admin, id)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), bytes);
    }
  });
  afterAll(async () => {
    await browser.close();
    await rm(folder, { recursive: true });
  });
  afterEach(() => page.context().close());

  async function open(options: BrowserContextOptions): Promise<void> {
    errors.length = urls.length = 0;
    const context = await browser.newContext(options);
    context.setDefaultTimeout(WAIT_TIMEOUT_MS);
    page = await context.newPage();
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => errors.push(message.text()));
    page.on('request', (request) => urls.push(request.url()));
    await page.goto(pathToFileURL(path.join(folder, 'data', 'index.html')).href);
  }

  it.each<[string, BrowserContextOptions]>([
    ['desktop', { viewport: { width: 1000, height: 800 } }],
    ['phone', { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 }],
    ['dark', { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, colorScheme: 'dark' }],
  ])('shows the titles as text, opened from the disk (%s)', async (name, options) => {
    await open(options);
    expect(await page.locator('h1').innerText()).toBe('Gesamter Bestand <i>2026</i>');
    expect(await page.locator('h2').first().innerText()).toContain('Neubau </h2><b>Nord</b>');
    expect((await page.locator('li > a').allInnerTexts()).sort()).toEqual([...TITLES].sort());
    expect(await page.locator('script, img, iframe, form, [onerror]').count()).toBe(0);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(options.viewport?.width ?? 0);
    expect(await page.title()).not.toBe('run');
    expect([errors, urls]).toEqual([[], [page.url()]]);
    if (SCREENSHOTS) await page.screenshot({ path: path.join(SCREENSHOTS, `package-${name}.png`) });
  });

  it.each(TITLES)('opens the content of %s', async (title) => {
    await open({});
    await page.getByRole('link', { name: title, exact: true }).click();
    expect(await page.locator('body').innerText()).toBe(title);
  });
});
