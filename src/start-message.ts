import { type Configuration, isDemoIssuerOnNetwork } from './platform/config/configuration.js';
import { DEMO_TENANT } from './tools/demo/demo-content.js';

/** What a token depends on: the command line has to be told what the service was told. */
const TOKEN_VARIABLES = ['PORT', 'PUBLIC_URL', 'DATA_DIR', 'OIDC_AUDIENCE', 'NODE_ENV'];

/** Where the service is reached. */
interface Addresses {
  readonly url: string;
  readonly metricsUrl: string;
}

/** What a person is told once the service takes requests. */
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
  if (!embeddedIssuer) return [...lines, `  Tokens come from ${oidcIssuer ?? ''}`, ''];
  // The port that was chosen, where PORT is 0.
  const chosen: NodeJS.ProcessEnv = {
    ...environment,
    ...(environment.PORT && { PORT: String(configuration.port) }),
  };
  const set = TOKEN_VARIABLES.filter((name) => chosen[name]).map(
    (name) => `${name}=${quote(chosen[name] ?? '')} `,
  );
  const token = `${set.join('')}npm run --silent token -- --tenant ${DEMO_TENANT.slug} --as editor`;
  const warning = isDemoIssuerOnNetwork(configuration)
    ? ['  Warning: anyone who reaches this service over the network can log in as any user.', '']
    : [];
  return [
    ...lines,
    ...warning,
    '  A token of a demo person (administrator, records_manager, editor, viewer, auditor or guest), from this folder:',
    `    ${token}`,
    '',
    '  A first request:',
    `    curl -s -H "Authorization: Bearer $(${token})" '${url}/api/v1/t/${DEMO_TENANT.slug}/files?limit=3'`,
    '',
  ];
}

/** For a POSIX shell. */
function quote(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
