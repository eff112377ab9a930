import { type Browser, chromium } from 'playwright-core';

/** Time limit of every browser operation. */
export const WAIT_TIMEOUT_MS = 300_000;

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    timeout: WAIT_TIMEOUT_MS,
  });
}
