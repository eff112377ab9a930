import type { Configuration } from '../config/configuration.js';

/** Where the embedded issuer is mounted, under `PUBLIC_URL`. */
export const EMBEDDED_ISSUER_PATH = '/oidc';

export function embeddedIssuerUrl(configuration: Pick<Configuration, 'publicUrl'>): string {
  return configuration.publicUrl + EMBEDDED_ISSUER_PATH;
}

/** The one issuer whose tokens are accepted, letter for letter as its tokens must name it in `iss`. */
export function issuerUrl(configuration: Pick<Configuration, 'publicUrl' | 'oidcIssuer'>): string {
  return configuration.oidcIssuer ?? embeddedIssuerUrl(configuration);
}
