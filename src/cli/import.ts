import { stat } from 'node:fs/promises';
import path from 'node:path';
import { FilingClient } from '../client/filing-client.js';
import { loadConfiguration } from '../config/configuration.js';
import { findPerson } from '../identity/demo-people.js';
import { issueDemoToken } from '../identity/demo-token.js';
import { FolderImport } from './import/folder-import.js';
import { readFolders } from './import/folders.js';
import { Progress } from './import/progress.js';
import { UsageError, readArguments, runCommand } from './command.js';

const HELP = `Files a folder of documents through the HTTP API of a running service.

  npm run import -- --tenant <slug> --file-type <key> [--as <person>] [--url <base URL>] <folder>

Each folder right below becomes a file, with all that lies in it, however deep; what lies in <folder> itself
makes one more. Each becomes a document. A second run files only what is not there yet.

  --tenant      Slug of the tenant, "demo" by default.
  --file-type   Key of the type that the files get.
  --as          With the embedded issuer: whose documents they become, by role or e-mail address; "administrator"
                by default. With another issuer set the variable FILING_TOKEN to an access token.
  --url         Where the service is, PUBLIC_URL by default.
`;

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

await runCommand(async () => {
  const { values, positionals } = readArguments({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: {
      tenant: { type: 'string', default: 'demo' },
      'file-type': { type: 'string' },
      as: { type: 'string', default: 'administrator' },
      url: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  const [folder, ...rest] = positionals;
  const fileTypeKey = values['file-type'];
  if (folder === undefined || rest.length > 0) throw new UsageError('Name one folder.');
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
  process.stdout.write(result.summary());
  return result.failures.length > 0 || stop.signal.aborted ? 1 : 0;
});
