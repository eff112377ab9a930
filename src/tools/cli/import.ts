import { stat } from 'node:fs/promises';
import path from 'node:path';
import {
  type FilingClientOptions,
  FilingProblem,
  createFilingClient,
} from '../../../clients/typescript/client.js';
import { loadConfiguration } from '../../platform/config/configuration.js';
import { findIssuerUser } from '../../platform/identity/embedded/demo-users.js';
import { issueDemoToken } from '../../platform/identity/embedded/demo-token.js';
import { UsageError, command, print, runCommand } from './command.js';
import { FolderImport } from './import/folder-import.js';
import { readFolders } from './import/folders.js';
import { Progress } from './import/progress.js';
import { DEFAULT_SKIPS, SkippedNames } from './import/skipped-names.js';
import { requireService } from './running-service.js';

/** Enough for parallel uploads to succeed under the rate limit. */
const RETRIES = 10;

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
    skip: {
      type: 'string',
      multiple: true,
      value: '<glob>',
      help: 'Leaves out files and folders of this name, such as "*.tmp". May be repeated.',
    },
    'no-default-skips': { type: 'boolean', help: 'Files also what is left out by default (see below).' },
  },
  details: `Each folder right below becomes a file, with all that lies in it, however deep; what lies in <folder> itself makes
one more. Each becomes a document. A second run files only what is not there yet. Symbolic links are not followed.

Left out by default: ${DEFAULT_SKIPS.slice(0, 9).join(', ')},
${DEFAULT_SKIPS.slice(9).join(', ')}.`,
  examples: [
    'npm run import -- --file-type building ~/scans',
    'npm run import -- --tenant acme --as alice@example.com --file-type invoice --skip "*.tmp" --skip drafts ~/invoices',
  ],
});

function tokenSource(as: string): FilingClientOptions['token'] {
  const given = process.env.FILING_TOKEN;
  if (given) return given;
  const configuration = loadConfiguration();
  if (!configuration.embeddedIssuer)
    throw new UsageError('Set FILING_TOKEN to an access token of the issuer.');
  const person = findIssuerUser(as);
  if (!person) throw new UsageError('--as is neither the role of a demo person nor an e-mail address.');
  let token: string | undefined;
  return async (refused) => {
    if (token === undefined || token === refused) token = await issueDemoToken({ configuration, person });
    return token;
  };
}

await runCommand(IMPORT, async ({ values, operands: [folder] }) => {
  const fileTypeKey = values['file-type'];
  if (fileTypeKey === undefined) throw new UsageError('--file-type is missing.');
  const root = path.resolve(folder);
  if (!(await stat(root).catch(() => null))?.isDirectory())
    throw new UsageError(`${folder} is not a folder.`);

  const url = values.url ?? loadConfiguration().publicUrl;
  const token = tokenSource(values.as);
  await requireService(url);

  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const progress = new Progress(process.stderr);
  const client = createFilingClient({
    url,
    tenant: values.tenant,
    token,
    retries: RETRIES,
    onRetry: (error, seconds) => {
      const reason = error instanceof FilingProblem ? error.problem.title : error.message;
      progress.note(`waiting ${Math.ceil(seconds)} s: ${reason}`);
    },
    signal: stop.signal,
  });
  const skipped = new SkippedNames([
    ...(values['no-default-skips'] ? [] : DEFAULT_SKIPS),
    ...(values.skip ?? []),
  ]);
  const result = await new FolderImport(client, progress, stop.signal).run(
    await readFolders(root, skipped),
    fileTypeKey,
  );
  progress.end();
  print(result.summary(skipped.summary()));
  return result.isComplete ? 0 : 1;
});
