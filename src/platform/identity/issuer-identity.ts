import type { Configuration } from '../config/configuration.js';
import { embeddedIssuerUrl } from './issuer-url.js';

/** What users of the embedded issuer are stored under. Its URL contains host and port, which can differ at each start. */
export const EMBEDDED_ISSUER = 'urn:filing-service:embedded-issuer';

type IssuerConfiguration = Pick<Configuration, 'publicUrl' | 'embeddedIssuer'>;

/** What users of an issuer are stored under: its URL, but for the embedded issuer its stable name. */
export function issuerIdentity(configuration: IssuerConfiguration, issuer: string): string {
  return configuration.embeddedIssuer && issuer === embeddedIssuerUrl(configuration)
    ? EMBEDDED_ISSUER
    : issuer;
}

/** The reverse: `iss` of the access tokens that such users have now. */
export function issuerOfIdentity(configuration: IssuerConfiguration, identity: string): string {
  return configuration.embeddedIssuer && identity === EMBEDDED_ISSUER
    ? embeddedIssuerUrl(configuration)
    : identity;
}
