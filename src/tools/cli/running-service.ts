import { UsageError } from './command.js';

/** How long a host may take that does not answer at all. */
const TIMEOUT_MS = 10_000;

/** @throws UsageError where no service is ready */
export async function requireService(url: string): Promise<void> {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => null);
  if (answer === null)
    throw new UsageError(`No service runs at ${url}: start it (npm start), or name its address with --url.`);
  if (!answer.ok) throw new UsageError(`What runs at ${url} is not ready (HTTP ${answer.status}).`);
}
