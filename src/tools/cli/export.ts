import path from 'node:path';
import { makeFolder } from '../../common/folder.js';
import { UsageError, command, print, runCommand } from './command.js';
import { TenantExport } from './export/tenant-export.js';
import { connectToService, serviceOptions } from './running-service.js';

const EXPORT = command({
  summary: 'Exports everything that a user can see through the HTTP API of a running service.',
  usage: ['npm run export -- --out <folder> [options]'],
  options: {
    tenant: { type: 'string', value: '<slug>', default: 'demo', help: 'Slug of the tenant.' },
    out: { type: 'string', value: '<folder>', help: 'Folder for the packages. Required.' },
    ...serviceOptions('exports'),
  },
  details: `Writes package.zip, or package-001.zip, package-002.zip … if it is too large for one. Continues an interrupted
download, and deletes each export from the service when its package is complete. docs/export.md describes packages.`,
  examples: ['npm run export -- --tenant demo --out exports'],
});

await runCommand(EXPORT, async ({ values }) => {
  if (values.out === undefined) throw new UsageError('--out is missing.');
  const folder = path.resolve(values.out);
  const { client } = await connectToService(values, (text) => process.stderr.write(`${text}\n`));
  await makeFolder(folder);
  const packages = await new TenantExport(client, folder, values.tenant, (line) => print(`${line}\n`)).run();
  print(`${packages} ${packages === 1 ? 'package is' : 'packages are'} complete in ${folder}\n`);
});
