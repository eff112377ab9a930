import { randomUUID } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import type { Configuration } from '../../config/configuration.js';
import { embeddedIssuerUrl } from '../issuer-url.js';
import type { IssuerUser } from './demo-users.js';
import { loadIssuerSecrets, refuseInProduction, SIGNING_ALGORITHM } from './embedded-issuer-secrets.js';

/** In seconds (12 hours). */
export const DEMO_TOKEN_LIFETIME = 12 * 60 * 60;

/** Claims about a user in every access token of the embedded issuer, from the login page or the command line. */
export function userClaims({ name, email }: IssuerUser): Record<string, string | boolean> {
  return { email, email_verified: true, name };
}

/**
 * Creates an access token of the embedded issuer, signed with its keys, like a token from the login page.
 * The service does not have to run.
 *
 * @param lifetime in seconds
 * @throws ConfigurationError in production
 */
export async function issueDemoToken({
  configuration,
  user,
  lifetime = DEMO_TOKEN_LIFETIME,
}: {
  configuration: Pick<Configuration, 'environment' | 'dataDirectory' | 'publicUrl' | 'oidcAudience'>;
  user: IssuerUser;
  lifetime?: number;
}): Promise<string> {
  refuseInProduction(configuration);
  const { signingKey } = await loadIssuerSecrets(configuration.dataDirectory);
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ ...userClaims(user), client_id: 'command-line', jti: randomUUID() })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: 'at+jwt', kid: signingKey.kid })
    .setIssuer(embeddedIssuerUrl(configuration))
    .setSubject(user.subject)
    .setAudience(configuration.oidcAudience)
    .setIssuedAt(now)
    .setExpirationTime(now + lifetime)
    .sign(await importJWK(signingKey, SIGNING_ALGORITHM));
}
