import { loadConfiguration } from '../../src/platform/config/configuration.js';
import { issueDemoToken } from '../../src/platform/identity/embedded/demo-token.js';
import { findIssuerUser } from '../../src/platform/identity/embedded/demo-users.js';

/**
 * An access token of the embedded issuer of the service at `url`, for a demo user or an e-mail address, as `npm run token`
 * prints it.
 */
export function demoToken(url: string, dataDirectory: string, who: string, name?: string): Promise<string> {
  const user = findIssuerUser(who);
  if (!user) throw new Error(`${who} is not a demo user`);
  const configuration = loadConfiguration({ PUBLIC_URL: url, DATA_DIR: dataDirectory });
  return issueDemoToken({ configuration, user: { ...user, name: name ?? user.name } });
}
