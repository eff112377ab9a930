import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Configuration } from '../../config/configuration.js';
import { SWAGGER_UI_CLIENT } from '../../identity/embedded-issuer-options.js';
import { issuerUrl } from '../../identity/issuer-url.js';
import { type Representation, representation } from './representation.js';

const DIRECTORY = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** What the page needs of the package, and nothing else of it. */
const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'oauth2-redirect.html': 'text/html; charset=utf-8',
  'oauth2-redirect.js': 'text/javascript; charset=utf-8',
  'favicon-16x16.png': 'image/png',
  'favicon-32x32.png': 'image/png',
};

/** Addresses are relative, so that the page also works under a path that a proxy cuts off. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Filing service: the API</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="icon" type="image/png" href="docs/favicon-32x32.png" sizes="32x32">
<link rel="icon" type="image/png" href="docs/favicon-16x16.png" sizes="16x16">
</head>
<body>
<div id="swagger-ui"></div>
<noscript>This page needs JavaScript. The API is described in <a href="openapi.json">openapi.json</a>.</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/initializer.js"></script>
</body>
</html>
`;

const SETTINGS = {
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  displayOperationId: true,
  displayRequestDuration: true,
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  // It would send the document to a service on the internet.
  validatorUrl: null,
};

const LOGIN = {
  clientId: SWAGGER_UI_CLIENT,
  scopes: 'openid email profile',
  usePkceWithAuthorizationCodeGrant: true,
};

const INITIALIZER = `const ui = SwaggerUIBundle({
  ...${JSON.stringify(SETTINGS)},
  oauth2RedirectUrl: new URL('docs/oauth2-redirect.html', window.location.href).href,
});
ui.initOAuth(${JSON.stringify(LOGIN)});
`;

/** Swagger UI: our page around the files of its package. */
export class SwaggerUi {
  readonly page = representation('text/html; charset=utf-8', PAGE);
  readonly headers: Readonly<Record<string, string>>;
  private readonly initializer = representation('text/javascript; charset=utf-8', INITIALIZER);
  private readonly files = new Map<string, Promise<Representation>>();

  constructor(configuration: Configuration) {
    this.headers = {
      'Content-Security-Policy': contentSecurityPolicy(configuration),
      'Referrer-Policy': 'no-referrer',
    };
  }

  /** A part of the page; null for anything that it does not need. */
  async asset(name: string): Promise<Representation | null> {
    if (name === 'initializer.js') return this.initializer;
    const type = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
    if (!type) return null;
    let file = this.files.get(name);
    if (!file) {
      file = readFile(path.join(DIRECTORY, name)).then((bytes) => representation(type, bytes));
      this.files.set(name, file);
      file.catch(() => this.files.delete(name));
    }
    return file;
  }
}

/** Swagger UI sets styles on elements; scripts come from here only. Tokens are fetched from the issuer. */
function contentSecurityPolicy(configuration: Configuration): string {
  const issuer = new URL(issuerUrl(configuration)).origin;
  // The token endpoint of another issuer may be anywhere.
  const elsewhere = configuration.embeddedIssuer ? [] : ['https:'];
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    ["connect-src 'self'", issuer, ...elsewhere].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
