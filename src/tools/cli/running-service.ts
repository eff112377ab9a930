import {
  type FilingClient,
  type FilingClientOptions,
  FilingProblem,
  createFilingClient,
} from '../../../clients/typescript/client.js';
import { loadConfiguration } from '../../platform/config/configuration.js';
import { issueDemoToken } from '../../platform/identity/embedded/demo-token.js';
import { findIssuerUser } from '../../platform/identity/embedded/demo-users.js';
import { UsageError } from './command.js';

const TIMEOUT_MS = 10_000;

/** Enough retries for parallel uploads under the default rate limit. */
const RETRIES = 10;

/** Options that name the user and the service. @param does what the user does: `imports` */
export function serviceOptions(does: string) {
  return {
    as: {
      type: 'string',
      value: '<user>',
      default: 'administrator',
      help: `With the embedded issuer: the user who ${does}, by role or e-mail address.
With another issuer, set the variable FILING_TOKEN to an access token.`,
    },
    url: { type: 'string', value: '<base URL>', help: 'URL of the service. Default: PUBLIC_URL.' },
  } as const;
}

/**
 * A client of the running service, which stops on Ctrl-C.
 *
 * @param note shows why a request is repeated
 * @throws UsageError if no service is ready, or there is no token
 */
export async function connectToService(
  { tenant, as, url = loadConfiguration().publicUrl }: { tenant: string; as: string; url?: string },
  note: (text: string) => void,
): Promise<{ client: FilingClient; signal: AbortSignal }> {
  const token = tokenSource(as);
  await requireService(url);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const { signal } = stop;
  const client = createFilingClient({
    ...{ url, tenant, token, signal, retries: RETRIES },
    onRetry(error, seconds) {
      const reason = error instanceof FilingProblem ? error.problem.title : error.message;
      note(`waiting ${Math.ceil(seconds)} s: ${reason}`);
    },
  });
  return { client, signal };
}

/** @throws UsageError if no service is ready at `url` */
async function requireService(url: string): Promise<void> {
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
function tokenSource(as: string): FilingClientOptions['token'] {
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
