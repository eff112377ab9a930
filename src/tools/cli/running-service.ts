import { UsageError } from './command.js';

const TIMEOUT_MS = 10_000;

/** @throws UsageError if no service is ready at `url` */
export async function requireService(url: string): Promise<void> {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => null);
  if (answer === null)
    throw new UsageError(
      `No service is running at ${url}. Start it (npm start) or set its address with --url.`,
    );
  if (!answer.ok) throw new UsageError(`The service at ${url} is not ready (HTTP ${answer.status}).`);
}
