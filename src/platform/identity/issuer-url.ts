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
