import type { Configuration } from '../config/configuration.js';

/** Path of the embedded issuer below `PUBLIC_URL`. */
export const EMBEDDED_ISSUER_PATH = '/oidc';

export function embeddedIssuerUrl(configuration: Pick<Configuration, 'publicUrl'>): string {
  return configuration.publicUrl + EMBEDDED_ISSUER_PATH;
}

/** URL of the only accepted issuer. It must be identical to `iss` in the tokens. */
export function issuerUrl(configuration: Pick<Configuration, 'publicUrl' | 'oidcIssuer'>): string {
  return configuration.oidcIssuer ?? embeddedIssuerUrl(configuration);
}

/** Stored as issuer of the embedded issuer's users. Its URL is not stored: host and port can differ at each start. */
export const EMBEDDED_ISSUER = 'urn:filing-service:embedded-issuer';

type IssuerConfiguration = Pick<Configuration, 'publicUrl' | 'embeddedIssuer'>;

/** The value stored as issuer of a user: the URL, or the fixed name of the embedded issuer. */
export function issuerIdentity(configuration: IssuerConfiguration, issuer: string): string {
  return configuration.embeddedIssuer && issuer === embeddedIssuerUrl(configuration)
    ? EMBEDDED_ISSUER
    : issuer;
}

/** The `iss` of current access tokens for a stored issuer; reverse of {@link issuerIdentity}. */
export function issuerOfIdentity(configuration: IssuerConfiguration, identity: string): string {
  return configuration.embeddedIssuer && identity === EMBEDDED_ISSUER
    ? embeddedIssuerUrl(configuration)
    : identity;
}
