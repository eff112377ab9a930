import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Configuration } from '../config/configuration.js';
import { loginPagePolicy } from './login-page-policy.js';
import { type Representation, compressedRepresentation, representation } from './representation.js';
import { STYLE, initializer, page } from './swagger-ui-page.js';

const require = createRequire(import.meta.url);
const PACKAGE = 'swagger-ui-dist/package.json';
const DIRECTORY = path.dirname(require.resolve(PACKAGE));

const REDIRECT_PAGE = 'oauth2-redirect.html';

const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  [REDIRECT_PAGE]: 'text/html; charset=utf-8',
  'oauth2-redirect.js': 'text/javascript; charset=utf-8',
  'favicon-16x16.png': 'image/png',
  'favicon-32x32.png': 'image/png',
};

export class SwaggerUi {
  /** Headers of the page. The opener policy allows messages from the login window of the issuer. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Headers of the redirect page, which sends a message to its opener. Any opener policy would separate the two
   * windows.
   */
  private readonly redirectHeaders: Readonly<Record<string, string>>;
  /** Changes with the package and with the service's own assets. */
  private readonly version: string;
  private readonly own: ReadonlyMap<string, () => Promise<Representation>>;
  private readonly cache = new Map<string, Promise<Representation>>();

  constructor(configuration: Configuration) {
    const script = initializer(configuration);
    const { version } = require(PACKAGE) as { version: string };
    const hash = createHash('sha256').update(`${version}\n${script}\n${STYLE}`);
    this.version = hash.digest('base64url').slice(0, 12);
    this.own = new Map([
      ['initializer.js', () => compressedRepresentation('text/javascript; charset=utf-8', script)],
      ['page.css', () => compressedRepresentation('text/css; charset=utf-8', STYLE)],
    ]);
    this.headers = {
      'Content-Security-Policy': loginPagePolicy(configuration, "img-src 'self' data:"),
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    };
    this.redirectHeaders = { ...this.headers, 'Cross-Origin-Opener-Policy': 'unsafe-none' };
  }

  /** @param version `v` in the URL; browsers may cache an asset with the current version without limit */
  headersOf(name: string, version: unknown): Readonly<Record<string, string>> {
    const headers = name === REDIRECT_PAGE ? this.redirectHeaders : this.headers;
    return version === this.version
      ? { ...headers, 'Cache-Control': 'public, max-age=31536000, immutable' }
      : headers;
  }

  page(): Promise<Representation> {
    return this.once('', () => compressedRepresentation('text/html; charset=utf-8', page(this.version)));
  }

  async asset(name: string): Promise<Representation | null> {
    const own = this.own.get(name);
    if (own) return this.once(name, own);
    const type = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
    if (!type) return null;
    return this.once(name, async () => {
      const bytes = await readFile(path.join(DIRECTORY, name));
      return type.startsWith('image/') ? representation(type, bytes) : compressedRepresentation(type, bytes);
    });
  }

  private once(name: string, make: () => Promise<Representation>): Promise<Representation> {
    let cached = this.cache.get(name);
    if (!cached) {
      cached = make();
      this.cache.set(name, cached);
      cached.catch(() => this.cache.delete(name));
    }
    return cached;
  }
}
