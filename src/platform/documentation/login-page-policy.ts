import { type Configuration } from '../config/configuration.js';
import { issuerUrl } from '../identity/issuer-url.js';

/**
 * Content-Security-Policy of a page whose script logs in: allows only resources of this origin and no inline scripts or
 * styles. Tokens are fetched from the issuer.
 *
 * @param more further directives
 */
export function loginPagePolicy(configuration: Configuration, ...more: readonly string[]): string {
  const issuer = new URL(issuerUrl(configuration)).origin;
  // The token endpoint of an external issuer can have another origin.
  const elsewhere = configuration.embeddedIssuer ? [] : ['https:'];
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ...more,
    ["connect-src 'self'", issuer, ...elsewhere].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
