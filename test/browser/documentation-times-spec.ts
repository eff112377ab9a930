import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Browser, type Page, chromium } from 'playwright-core';
import { DemoService } from '../support/service/demo-service.js';
import { WAIT_TIMEOUT_MS } from './documentation-page.js';

jest.setTimeout(900_000);

const ROUNDS = 3;
const OPERATIONS = ['Files-CreateFile', 'Documents-CreateDocument', 'Files-ListFiles'];

// These scripts run in the page, so the times do not include the overhead of the browser driver.

const NOTE_FIRST_OPERATIONS = `new MutationObserver((_, observer) => {
  if (!document.querySelector('.opblock-tag')) return;
  observer.disconnect();
  window.listed = performance.now();
}).observe(document, { childList: true, subtree: true })`;

/** Waits for the paint: a list that is in the document may not be painted yet. */
const FIRST_PAINT = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    const [paint] = list.getEntriesByName('first-contentful-paint');
    if (paint) resolve(paint.startTime);
  }).observe({ type: 'paint', buffered: true });
})`;

/** Clicks the operation and measures the time until its last response is painted. */
const opening = (id: string) => `new Promise((resolve) => {
  const block = document.getElementById('${id}');
  const start = performance.now();
  block.querySelector('.opblock-summary-control').click();
  const look = () => {
    if (!block.querySelector('.responses-table .response[data-code="503"]')) requestAnimationFrame(look);
    else setTimeout(() => resolve(performance.now() - start));
  };
  requestAnimationFrame(look);
})`;

/** Prints how long Swagger UI takes; does not check the times. */
describe('Loading times of Swagger UI', () => {
  let service: DemoService;
  let browser: Browser;
  beforeAll(async () => {
    service = await DemoService.start();
    browser = await chromium.launch({
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
      timeout: WAIT_TIMEOUT_MS,
    });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
    'prints the times for the list and for some operations, round %i',
    async (round) => {
      // A new context has an empty cache.
      const context = await browser.newContext({ viewport: { width: 1280, height: 1400 } });
      context.setDefaultTimeout(WAIT_TIMEOUT_MS);
      const page = await context.newPage();
      let bytes = 0;
      const session = await context.newCDPSession(page);
      await session.send('Network.enable');
      session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
      await page.addInitScript(NOTE_FIRST_OPERATIONS);
      await page.goto(`${service.url}/docs`, { waitUntil: 'commit' });
      await page.locator('.opblock-tag').first().waitFor();
      const listed = await page.evaluate<number>('window.listed');
      const paint = await page.evaluate<number>(FIRST_PAINT);
      const figures = [
        `first paint after ${ms(paint)}, operations listed after ${ms(listed)} (${bytes} bytes)`,
      ];
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
    const taken = await page.evaluate<number>(opening(`operations-${name}`));
    const { height = 0 } = (await block.boundingBox()) ?? {};
    await summary.click();
    return `${name} opened after ${ms(taken)} (${Math.round(height)} px high)`;
  }
});

function ms(time: unknown): string {
  return `${Math.round(Number(time))} ms`;
}
