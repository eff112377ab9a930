import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Configuration } from '../../config/configuration.js';
import { issuerUrl } from '../../identity/issuer-url.js';
import { type Representation, representation } from './representation.js';

const DIRECTORY = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const REDIRECT_PAGE = 'oauth2-redirect.html';

/** What the page needs of the package, and nothing else of it. */
const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  [REDIRECT_PAGE]: 'text/html; charset=utf-8',
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
<link rel="stylesheet" href="docs/page.css">
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
  defaultModelsExpandDepth: 0,
  filter: true,
  // A login survives a reload; it ends with *Logout*, or when the token expires.
  persistAuthorization: true,
  requestSnippetsEnabled: true,
  tryItOutEnabled: true,
  // It would send the document to a service on the internet.
  validatorUrl: null,
};

/** What is beyond the specification says so where operations are listed. */
const MARK_ADDITIONS = `const MarkAdditions = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (original) => (document) => {
          for (const item of Object.values(document.paths ?? {}))
            for (const operation of Object.values(item))
              if (operation['x-addition']) operation.summary += ' (addition)';
          return original(document);
        },
      },
    },
  },
});`;

function initializer({ docsClientId }: Configuration): string {
  const login = {
    clientId: docsClientId,
    scopes: 'openid email profile',
    usePkceWithAuthorizationCodeGrant: true,
  };
  return `${MARK_ADDITIONS}

const ui = SwaggerUIBundle({
  ...${JSON.stringify(SETTINGS)},
  plugins: [MarkAdditions],
  oauth2RedirectUrl: new URL('docs/oauth2-redirect.html', window.location.href).href,
});
ui.initOAuth(${JSON.stringify(login)});
`;
}

/** What is in the way on this page: no operation has links, and the client is a public one. */
const STYLE = `
body { margin: 0 }
.swagger-ui .info { margin: 2rem 0 1.5rem }
.swagger-ui .renderedMarkdown code { color: inherit; font-weight: 600; padding: 1px 4px; white-space: nowrap }
.swagger-ui .response-col_links { display: none }
.swagger-ui .opblock-tag small { font-size: .9rem }
.swagger-ui .body-param__text { min-height: 11rem }
.swagger-ui .dialog-ux .modal-ux-content { max-height: 75vh }
.swagger-ui label[for^="client_secret_"], .swagger-ui label[for^="client_secret_"] + * { display: none }
`;

/** Swagger UI: our page around the files of its package. */
export class SwaggerUi {
  readonly page = representation('text/html; charset=utf-8', PAGE);
  /** It opens the issuer's login in a window, and has to hear from it. */
  readonly headers: Readonly<Record<string, string>>;
  /** That window, back from an issuer elsewhere, tells the page that opened it; any policy would part the two. */
  private readonly redirectHeaders: Readonly<Record<string, string>>;
  private readonly own: ReadonlyMap<string, Representation>;
  private readonly files = new Map<string, Promise<Representation>>();

  constructor(configuration: Configuration) {
    this.own = new Map([
      ['initializer.js', representation('text/javascript; charset=utf-8', initializer(configuration))],
      ['page.css', representation('text/css; charset=utf-8', STYLE)],
    ]);
    this.headers = {
      'Content-Security-Policy': contentSecurityPolicy(configuration),
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    };
    this.redirectHeaders = { ...this.headers, 'Cross-Origin-Opener-Policy': 'unsafe-none' };
  }

  /** Of a part of the page. */
  headersOf(name: string): Readonly<Record<string, string>> {
    return name === REDIRECT_PAGE ? this.redirectHeaders : this.headers;
  }

  /** A part of the page; null for anything that it does not need. */
  async asset(name: string): Promise<Representation | null> {
    const own = this.own.get(name);
    if (own) return own;
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

/** Everything comes from here, nothing stands in the page itself. Tokens are fetched from the issuer. */
function contentSecurityPolicy(configuration: Configuration): string {
  const issuer = new URL(issuerUrl(configuration)).origin;
  // The token endpoint of another issuer may be anywhere.
  const elsewhere = configuration.embeddedIssuer ? [] : ['https:'];
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", issuer, ...elsewhere].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
