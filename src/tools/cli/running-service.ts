import { type FilingClientOptions } from '../../../clients/typescript/client.js';
import { loadConfiguration } from '../../platform/config/configuration.js';
import { issueDemoToken } from '../../platform/identity/embedded/demo-token.js';
import { findIssuerUser } from '../../platform/identity/embedded/demo-users.js';
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

/**
 * The token in FILING_TOKEN, or tokens of the embedded issuer.
 *
 * @param as role or e-mail address of a user of the embedded issuer
 * @throws UsageError
 */
export function tokenSource(as: string): FilingClientOptions['token'] {
  const given = process.env.FILING_TOKEN;
  if (given) return given;
  const configuration = loadConfiguration();
  if (!configuration.embeddedIssuer)
    throw new UsageError('Set the environment variable FILING_TOKEN to an access token of the issuer.');
  const user = findIssuerUser(as);
  if (!user) throw new UsageError('--as is neither the role of a demo user nor an e-mail address.');
  let token: string | undefined;
  return async (refused) => {
    if (token === undefined || token === refused) token = await issueDemoToken({ configuration, user });
    return token;
  };
}
