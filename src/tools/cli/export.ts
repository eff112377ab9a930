import path from 'node:path';
import { FilingProblem, createFilingClient } from '../../../clients/typescript/client.js';
import { makeFolder } from '../../common/folder.js';
import { loadConfiguration } from '../../platform/config/configuration.js';
import { UsageError, command, print, runCommand } from './command.js';
import { TenantExport } from './export/tenant-export.js';
import { requireService, tokenSource } from './running-service.js';

const RETRIES = 10;

const EXPORT = command({
  summary: 'Exports everything that a user can see through the HTTP API of a running service.',
  usage: ['npm run export -- --out <folder> [options]'],
  options: {
    tenant: { type: 'string', value: '<slug>', default: 'demo', help: 'Slug of the tenant.' },
    out: { type: 'string', value: '<folder>', help: 'Folder for the packages. Required.' },
    as: {
      type: 'string',
      value: '<user>',
      default: 'administrator',
      help: `With the embedded issuer: the user who exports, by role or e-mail address.
With another issuer, set the variable FILING_TOKEN to an access token.`,
    },
    url: { type: 'string', value: '<base URL>', help: 'URL of the service. Default: PUBLIC_URL.' },
  },
  details: `Writes package.zip, or package-001.zip, package-002.zip … if it is too large for one. Continues an interrupted
download, and deletes each export from the service when its package is complete. docs/export.md describes packages.`,
  examples: ['npm run export -- --tenant demo --out exports'],
});

await runCommand(EXPORT, async ({ values }) => {
  if (values.out === undefined) throw new UsageError('--out is missing.');
  const folder = path.resolve(values.out);
  const url = values.url ?? loadConfiguration().publicUrl;
  const token = tokenSource(values.as);
  await requireService(url);
  await makeFolder(folder);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const client = createFilingClient({
    url,
    tenant: values.tenant,
    token,
    retries: RETRIES,
    onRetry: (error, seconds) => {
      const reason = error instanceof FilingProblem ? error.problem.title : error.message;
      process.stderr.write(`waiting ${Math.ceil(seconds)} s: ${reason}\n`);
    },
    signal: stop.signal,
  });
  const packages = await new TenantExport(client, folder, values.tenant, (line) => print(`${line}\n`)).run();
  print(`${packages} ${packages === 1 ? 'package is' : 'packages are'} complete in ${folder}\n`);
});
