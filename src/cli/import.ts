import { stat } from 'node:fs/promises';
import path from 'node:path';
import { FilingClient } from '../client/filing-client.js';
import { loadConfiguration } from '../config/configuration.js';
import { findPerson } from '../identity/demo-people.js';
import { issueDemoToken } from '../identity/demo-token.js';
import { FolderImport } from './import/folder-import.js';
import { readFolders } from './import/folders.js';
import { Progress } from './import/progress.js';
import { UsageError, command, print, runCommand } from './command.js';

const IMPORT = command({
  summary: 'Files a folder of documents through the HTTP API of a running service.',
  usage: ['npm run import -- --file-type <key> [options] <folder>'],
  operand: { name: 'folder' },
  options: {
    tenant: { type: 'string', value: '<slug>', default: 'demo', help: 'Slug of the tenant.' },
    'file-type': { type: 'string', value: '<key>', help: 'Key of the type that the files get. Required.' },
    as: {
      type: 'string',
      value: '<person>',
      default: 'administrator',
      help: `With the embedded issuer: whose documents they become, by role or e-mail address.
With another issuer, set the variable FILING_TOKEN to an access token.`,
    },
    url: { type: 'string', value: '<base URL>', help: 'Where the service is; PUBLIC_URL unless given.' },
  },
  details: `Each folder right below becomes a file, with all that lies in it, however deep; what lies in <folder> itself makes
one more. Each becomes a document. A second run files only what is not there yet.`,
  examples: ['npm run import -- --file-type building ~/scans'],
});

async function tokenSource(as: string): Promise<() => Promise<string>> {
  const given = process.env.FILING_TOKEN;
  if (given) return () => Promise.resolve(given);
  const configuration = loadConfiguration();
  if (!configuration.embeddedIssuer)
    throw new UsageError('Set FILING_TOKEN to an access token of the issuer.');
  const person = findPerson(as);
  if (!person) throw new UsageError('--as is neither the role of a demo person nor an e-mail address.');
  const token = await issueDemoToken({ configuration, person });
  return () => Promise.resolve(token);
}

await runCommand(IMPORT, async ({ values, operands: [folder] }) => {
  const fileTypeKey = values['file-type'];
  if (fileTypeKey === undefined) throw new UsageError('--file-type is missing.');
  const root = path.resolve(folder);
  if (!(await stat(root).catch(() => null))?.isDirectory())
    throw new UsageError(`${folder} is not a folder.`);

  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const progress = new Progress(process.stderr);
  const client = new FilingClient({
    url: values.url ?? loadConfiguration().publicUrl,
    tenant: values.tenant,
    token: await tokenSource(values.as),
    onWait: (seconds, reason) => progress.note(`waiting ${seconds} s: ${reason}`),
    signal: stop.signal,
  });
  const result = await new FolderImport(client, progress, stop.signal).run(
    await readFolders(root),
    fileTypeKey,
  );
  progress.end();
  print(result.summary());
  return result.failures.length > 0 || stop.signal.aborted ? 1 : 0;
});
