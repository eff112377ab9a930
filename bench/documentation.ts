import { type Browser, type Page, chromium } from 'playwright-core';
import { type BenchArguments } from './arguments.js';
import { type BenchEnvironment } from './environment.js';
import { type Outcome, printTable, spreadText, verdictText } from './report.js';
import { spread } from './statistics.js';

const OPERATIONS = ['Files-CreateFile', 'Documents-CreateDocument', 'Files-ListFiles'];
/** Maximum milliseconds (docs/adr/0027). */
const TARGETS = { paint: 1000, opening: 300 };

// These scripts run in the page, so the times do not include the overhead of the browser driver.

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

/** Measures how long Swagger UI takes to show itself with an empty cache, and to open operations. */
export async function documentation(bench: BenchEnvironment, { rounds }: BenchArguments): Promise<Outcome> {
  const { origin } = await bench.startService();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const times = new Map<string, number[]>();
    for (let round = 0; round < rounds; round += 1)
      for (const [name, time] of await measure(browser, `${origin}/docs`))
        times.set(name, [...(times.get(name) ?? []), time]);
    const results = [...times].map(([name, values]) => {
      const target = name.startsWith('first') ? TARGETS.paint : TARGETS.opening;
      const ofRounds = spread(values);
      return { name, ofRounds, target, met: ofRounds.median <= target };
    });
    printTable(
      ['time in ms', 'median (range)', 'target', ''],
      results.map(({ name, ofRounds, target, met }) => [
        name,
        spreadText(ofRounds, 0),
        `${target}`,
        verdictText(met),
      ]),
    );
    return { results, met: results.every(({ met }) => met) };
  } finally {
    await browser.close();
  }
}

async function measure(browser: Browser, url: string): Promise<[name: string, time: number][]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 1400 } });
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator('.opblock-tag').first().waitFor();
  const times: [string, number][] = [['first paint', await page.evaluate<number>(FIRST_PAINT)]];
  for (const name of OPERATIONS) times.push([name, await open(page, name)]);
  await context.close();
  return times;
}

async function open(page: Page, name: string): Promise<number> {
  const block = page.locator(`[id="operations-${name}"]`);
  if ((await block.count()) === 0)
    await page.locator(`.opblock-tag[data-tag="${name.split('-')[0]}"]`).click();
  const summary = block.locator('.opblock-summary-control');
  await summary.waitFor();
  const time = await page.evaluate<number>(opening(`operations-${name}`));
  await summary.click();
  return time;
}
