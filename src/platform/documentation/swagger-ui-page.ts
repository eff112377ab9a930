import { type Configuration } from '../config/configuration.js';

/**
 * The HTML page that loads Swagger UI. URLs are relative, so that it also works behind a proxy that removes a path
 * prefix.
 *
 * @param version part of the URLs of assets, so that browsers can cache them without limit
 */
export function page(version: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Filing service API</title>
<link rel="stylesheet" href="docs/swagger-ui.css?v=${version}">
<link rel="stylesheet" href="docs/page.css?v=${version}">
<link rel="preload" href="${SETTINGS.url}" as="fetch" crossorigin="anonymous">
<link rel="icon" type="image/png" href="docs/favicon-32x32.png?v=${version}" sizes="32x32">
<link rel="icon" type="image/png" href="docs/favicon-16x16.png?v=${version}" sizes="16x16">
</head>
<body>
<div id="swagger-ui"></div>
<noscript>This page needs JavaScript. The API is described in <a href="openapi.json">openapi.json</a>.</noscript>
<script src="docs/swagger-ui-bundle.js?v=${version}"></script>
<script src="docs/initializer.js?v=${version}"></script>
</body>
</html>
`;
}

const SETTINGS = {
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  displayOperationId: true,
  displayRequestDuration: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  // Keeps the login after a reload, until *Logout* or the token expires.
  persistAuthorization: true,
  requestSnippetsEnabled: true,
  tryItOutEnabled: true,
  // The validator would send the document to a service on the internet.
  validatorUrl: null,
};

/** Swagger UI plugin: shows only the description of a problem response; a button shows example, schema and headers. */
const COLLAPSED_PROBLEMS = `const CollapsedProblems = () => ({
  wrapComponents: {
    response: (Response, { React, getComponent }) => function CollapsibleResponse(props) {
      const { code, response } = props;
      const [isOpen, setOpen] = React.useState(!(Number(code) >= 400 && response.get('content')));
      if (isOpen) return React.createElement(Response, props);
      const cell = (className, ...children) => React.createElement('td', { className }, ...children);
      return React.createElement('tr', { className: 'response', 'data-code': code },
        cell('response-col_status', code),
        cell('response-col_description problem',
          React.createElement(getComponent('Markdown'), { source: response.get('description') }),
          React.createElement('button', { className: 'btn', onClick: () => setOpen(true) }, 'Example')));
    },
  },
});`;

/**
 * Swagger UI plugin: resolves local references. Swagger UI's own resolver for OpenAPI 3.1 parses the whole document
 * again for each opened operation. All references of this document are local. Swagger UI reads the name of a schema
 * from `$$ref`.
 */
const LOCAL_REFERENCES = `const LocalReferences = () => ({
  fn: {
    resolveSubtree: async (spec, path) => {
      const at = (names) => names.reduce((value, name) => value?.[name], spec);
      const resolved = (value, within) => {
        if (Array.isArray(value)) return value.map((one) => resolved(one, within));
        if (value === null || typeof value !== 'object') return value;
        const { $ref, ...others } = value;
        const members = Object.entries(others).map(([name, member]) => [name, resolved(member, within)]);
        if ($ref === undefined || within.includes($ref)) return { ...value, ...Object.fromEntries(members) };
        const target = resolved(at($ref.slice(2).split('/')), [...within, $ref]);
        return { ...target, ...Object.fromEntries(members), $$ref: $ref };
      };
      return { spec: resolved(at(path), []), errors: [] };
    },
  },
});`;

/** Swagger UI plugin: without *Execute* for streams, whose response would never be complete. */
const NO_EXECUTION_OF_STREAMS = `const NoExecutionOfStreams = () => ({
  statePlugins: {
    spec: {
      wrapSelectors: {
        allowTryItOutFor: () => (state, path, method) =>
          !state.hasIn(['json', 'paths', path, method, 'responses', '200', 'content', 'text/event-stream']),
      },
    },
  },
});`;

/**
 * Swagger UI plugin: offers the login by authorization code and the access token. Swagger UI would offer all flows in the
 * discovery document of an issuer, the implicit one among the first.
 */
const CODE_FLOW_ONLY = `const CodeFlowOnly = () => ({
  statePlugins: {
    auth: {
      wrapSelectors: {
        definitionsToAuthorize: (original) => (...args) =>
          original(...args).filter((scheme) =>
            ['authorizationCode', 'authorization_code', undefined].includes(scheme.first().get('flow'))),
      },
    },
  },
});`;

/** Uses the dark mode of Swagger UI when the browser prefers it. */
const DARK_MODE = `const dark = window.matchMedia('(prefers-color-scheme: dark)');
const applyDarkMode = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyDarkMode);
applyDarkMode();`;

export function initializer({ docsClientId }: Configuration): string {
  const login = {
    clientId: docsClientId,
    scopes: 'openid email profile',
    usePkceWithAuthorizationCodeGrant: true,
  };
  return `${DARK_MODE}

${COLLAPSED_PROBLEMS}

${LOCAL_REFERENCES}

${NO_EXECUTION_OF_STREAMS}

${CODE_FLOW_ONLY}

const ui = SwaggerUIBundle({
  ...${JSON.stringify(SETTINGS)},
  plugins: [CollapsedProblems, LocalReferences, NoExecutionOfStreams, CodeFlowOnly],
  oauth2RedirectUrl: new URL('docs/oauth2-redirect.html', window.location.href).href,
});
ui.initOAuth(${JSON.stringify(login)});
`;
}

/** Also hides unused parts of Swagger UI: links of operations, and the client secret. */
export const STYLE = `
:root { color-scheme: light dark }
body { margin: 0 }
.swagger-ui .info { margin: 2rem 0 1.5rem }
.swagger-ui .renderedMarkdown code { color: inherit; font-weight: 600; padding: 1px 4px; white-space: nowrap }
.swagger-ui .response-col_links { display: none }
.swagger-ui .response-col_description.problem { display: flex; gap: 1rem; justify-content: space-between }
.swagger-ui .response-col_description.problem p { margin: 0 }
.swagger-ui .response-col_description.problem .btn { align-self: flex-start; padding: 1px 10px }
.swagger-ui .opblock-tag small { font-size: .9rem }
.swagger-ui .body-param__text { min-height: 11rem }
.swagger-ui .dialog-ux .modal-ux-content { max-height: 75vh }
.dark-mode .swagger-ui .headers td, .dark-mode .swagger-ui .problem .btn { color: inherit }
@media (max-width: 40rem) {
  .swagger-ui .renderedMarkdown code, .swagger-ui td { overflow-wrap: anywhere; white-space: normal }
  .swagger-ui .responses-table, .swagger-ui .headers { table-layout: fixed; width: 100% }
  .swagger-ui .response-col_status { width: 3.5rem }
  .swagger-ui .response-col_description.problem { flex-wrap: wrap }
  .swagger-ui .opblock-summary-control { flex-wrap: wrap }
}
.swagger-ui label[for^="client_secret_"], .swagger-ui label[for^="client_secret_"] + * { display: none }
`;
