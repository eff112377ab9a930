import { randomUUID } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import type { Configuration } from '../../config/configuration.js';
import { embeddedIssuerUrl } from '../issuer-url.js';
import type { IssuerUser } from './demo-users.js';
import { loadIssuerSecrets, refuseInProduction, SIGNING_ALGORITHM } from './embedded-issuer-secrets.js';

/** Seconds; a working day and its evening. */
export const DEMO_TOKEN_LIFETIME = 12 * 60 * 60;

/** What an access token of the embedded issuer says about a person, however it is got. */
export function userClaims({ name, email }: IssuerUser): Record<string, string | boolean> {
  return { email, email_verified: true, name };
}

/**
 * An access token of the embedded issuer for a person, signed with its keys, like one from the login page;
 * the service need not be running.
 *
 * @param options.issuer whose name the token bears; `<PUBLIC_URL>/oidc` by default
 * @param options.lifetime in seconds
 * @throws ConfigurationError in production
 */
export async function issueDemoToken(options: {
  configuration: Pick<Configuration, 'environment' | 'dataDirectory' | 'publicUrl' | 'oidcAudience'>;
  person: IssuerUser;
  issuer?: string;
  lifetime?: number;
}): Promise<string> {
  const { configuration, person } = options;
  refuseInProduction(configuration);
  const { signingKey } = await loadIssuerSecrets(configuration.dataDirectory);
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ ...userClaims(person), client_id: 'command-line', jti: randomUUID() })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: 'at+jwt', kid: signingKey.kid })
    .setIssuer(options.issuer ?? embeddedIssuerUrl(configuration))
    .setSubject(person.subject)
    .setAudience(configuration.oidcAudience)
    .setIssuedAt(now)
    .setExpirationTime(now + (options.lifetime ?? DEMO_TOKEN_LIFETIME))
    .sign(await importJWK(signingKey, SIGNING_ALGORITHM));
}
