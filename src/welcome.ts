import { type Configuration } from './config/configuration.js';
import { DEMO_TENANT } from './demo/demo-content.js';

/** What a person is told once the service takes requests. `url` is where clients reach it. */
export function welcome(
  { embeddedIssuer, metricsHost, oidcIssuer }: Configuration,
  url: string,
  metricsPort: number,
): string[] {
  const lines = [
    '',
    `  API         ${url}/api/v1/t/<tenant>`,
    `  Swagger UI  ${url}/docs`,
    `  Metrics     http://${metricsHost}:${metricsPort}/metrics`,
  ];
  if (embeddedIssuer) {
    lines.push(
      '',
      '  A token of a demo person (administrator, records_manager, editor, viewer, auditor, guest):',
      `    npm run --silent token -- --tenant ${DEMO_TENANT.slug} --as editor`,
      '',
      '  A first request:',
      `    curl -s -H "Authorization: Bearer $(npm run --silent token -- --tenant ${DEMO_TENANT.slug} --as editor)" ${url}/api/v1/t/${DEMO_TENANT.slug}/files?limit=3`,
    );
  } else {
    lines.push('', `  Tokens come from ${oidcIssuer ?? ''}.`);
  }
  return [...lines, ''];
}
