import { createLocalJWKSet, type CryptoKey, type JWSHeaderParameters } from 'jose';
import { type IssuerKeys, type IssuerState, type KeySet } from '../issuer-client.js';
import { loadIssuerSecrets } from './embedded-issuer-secrets.js';

/**
 * Reads the keys of the embedded issuer from its file. The service does not request them over HTTP: PUBLIC_URL can be
 * the address of a proxy that the service cannot reach.
 */
export class EmbeddedIssuerKeys implements IssuerKeys {
  private keySet?: Promise<KeySet>;

  constructor(private readonly dataDirectory: string) {}

  async key(header: JWSHeaderParameters): Promise<CryptoKey> {
    this.keySet ??= loadIssuerSecrets(this.dataDirectory)
      .then(({ signingKey: { kty, n, e, kid, alg, use } }) =>
        createLocalJWKSet({ keys: [{ kty, n, e, kid, alg, use }] }),
      )
      .catch((error: unknown) => {
        this.keySet = undefined;
        throw error;
      });
    return (await this.keySet)(header);
  }

  /** Empty: the access tokens already contain all claims. */
  userinfo(): Promise<Record<string, unknown>> {
    return Promise.resolve({});
  }

  state(): Promise<IssuerState> {
    return Promise.resolve({ hasAnswered: true, failure: undefined });
  }
}
