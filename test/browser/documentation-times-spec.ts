import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Browser, type Page, chromium } from 'playwright-core';
import { DemoService } from '../support/demo-service.js';
import { PATIENCE_MS } from './documentation-page.js';

jest.setTimeout(900_000);

const ROUNDS = 3;
const OPERATIONS = ['Files-CreateFile', 'Documents-CreateDocument', 'Files-ListFiles'];

/** Reports how long Swagger UI takes; nothing is asserted about the figures. */
describe('Swagger UI, timed', () => {
  let service: DemoService;
  let browser: Browser;
  beforeAll(async () => {
    service = await DemoService.start();
    browser = await chromium.launch({
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
      timeout: PATIENCE_MS,
    });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
    'lists the operations and opens some, round %i',
    async (round) => {
      // A context of its own has an empty cache.
      const context = await browser.newContext({ viewport: { width: 1280, height: 1400 } });
      context.setDefaultTimeout(PATIENCE_MS);
      const page = await context.newPage();
      let bytes = 0;
      const session = await context.newCDPSession(page);
      await session.send('Network.enable');
      session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
      const start = performance.now();
      await page.goto(`${service.url}/docs`, { waitUntil: 'commit' });
      await page.locator('.opblock-tag').first().waitFor();
      const figures = [`operations listed after ${milliseconds(start)} (${bytes} bytes)`];
      for (const name of OPERATIONS) figures.push(await open(page, name));
      process.stderr.write(`round ${round}: ${figures.join('; ')}\n`);
      expect(figures).toHaveLength(1 + OPERATIONS.length);
      await context.close();
    },
  );

  async function open(page: Page, name: string): Promise<string> {
    const block = page.locator(`[id="operations-${name}"]`);
    if ((await block.count()) === 0)
      await page.locator(`.opblock-tag[data-tag="${name.split('-')[0]}"]`).click();
    const summary = block.locator('.opblock-summary-control');
    await summary.waitFor();
    const start = performance.now();
    await summary.click();
    await block.locator('.responses-table .response').last().waitFor();
    const taken = milliseconds(start);
    const { height = 0 } = (await block.boundingBox()) ?? {};
    await summary.click();
    return `${name} opened after ${taken} (${Math.round(height)} px high)`;
  }
});

function milliseconds(start: number): string {
  return `${Math.round(performance.now() - start)} ms`;
}
