import { type Configuration, isDemoIssuerOnNetwork } from '../platform/config/configuration.js';
import { DEMO_TENANT } from '../tools/demo/demo-content.js';

/** Variables that `npm run token` must have with the same values as the service. */
const TOKEN_VARIABLES = ['PORT', 'PUBLIC_URL', 'DATA_DIR', 'OIDC_AUDIENCE', 'NODE_ENV'];

interface Addresses {
  readonly url: string;
  readonly metricsUrl: string;
}

export function startMessage(
  configuration: Configuration,
  { url, metricsUrl }: Addresses,
  environment: NodeJS.ProcessEnv,
): string[] {
  const { embeddedIssuer, oidcIssuer } = configuration;
  const lines = [
    '',
    `  API         ${url}/api/v1/t/<tenant>`,
    `  Swagger UI  ${url}/docs`,
    `  Metrics     ${metricsUrl}`,
    '',
  ];
  if (!embeddedIssuer) return [...lines, `  Issuer      ${oidcIssuer ?? ''}`, ''];
  // Replaces PORT=0 by the chosen port.
  const chosen: NodeJS.ProcessEnv = {
    ...environment,
    ...(environment.PORT && { PORT: String(configuration.port) }),
  };
  const set = TOKEN_VARIABLES.filter((name) => chosen[name]).map(
    (name) => `${name}=${quoteForShell(chosen[name] ?? '')} `,
  );
  const token = `${set.join('')}npm run --silent token -- --tenant ${DEMO_TENANT.slug} --as editor`;
  const warning = isDemoIssuerOnNetwork(configuration)
    ? ['  Warning: anyone who can reach this service over the network can log in as any user.', '']
    : [];
  return [
    ...lines,
    ...warning,
    '  Token of a demo user (administrator, records_manager, editor, viewer, auditor or guest), run in this folder:',
    `    ${token}`,
    '',
    '  First request:',
    `    curl -s -H "Authorization: Bearer $(${token})" '${url}/api/v1/t/${DEMO_TENANT.slug}/files?limit=3'`,
    '',
  ];
}

function quoteForShell(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
