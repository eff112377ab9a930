import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type CryptoKey, SignJWT, exportJWK, generateKeyPair } from 'jose';

const AUDIENCE = 'filing-service';
const LIFETIME_SECONDS = 12 * 60 * 60;

/** An OpenID Connect issuer, so that the service is configured as in production. */
export class BenchIssuer {
  private constructor(
    private readonly server: Server,
    readonly url: string,
    private readonly key: CryptoKey,
  ) {}

  static async start(): Promise<BenchIssuer> {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const jwk = { ...(await exportJWK(publicKey)), kid: 'bench', alg: 'ES256', use: 'sig' };
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const documents: Record<string, object> = {
      '/.well-known/openid-configuration': { issuer: url, jwks_uri: `${url}/jwks` },
      '/jwks': { keys: [jwk] },
    };
    server.on('request', (request, response) => {
      const document = documents[request.url ?? ''];
      response.writeHead(document ? 200 : 404, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(document ?? {}));
    });
    return new BenchIssuer(server, url, privateKey);
  }

  token({ subject, email }: { readonly subject: string; readonly email: string }): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({ email, email_verified: true, name: subject, client_id: 'bench' })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'bench' })
      .setIssuer(this.url)
      .setSubject(subject)
      .setAudience(AUDIENCE)
      .setIssuedAt(now)
      .setExpirationTime(now + LIFETIME_SECONDS)
      .sign(this.key);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
