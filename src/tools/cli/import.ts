import { stat } from 'node:fs/promises';
import path from 'node:path';
import { UsageError, command, print, runCommand } from './command.js';
import { FolderImport } from './import/folder-import.js';
import { readFolders } from './import/folders.js';
import { Progress } from './import/progress.js';
import { DEFAULT_SKIPS, SkippedNames } from './import/skipped-names.js';
import { connectToService, serviceOptions } from './running-service.js';

const MAX_PARALLEL = 32;

const IMPORT = command({
  summary: 'Imports a folder of documents through the HTTP API of a running service.',
  usage: ['npm run import -- --file-type <key> [options] <folder>'],
  operand: { name: 'folder' },
  options: {
    tenant: { type: 'string', value: '<slug>', default: 'demo', help: 'Slug of the tenant.' },
    'file-type': {
      type: 'string',
      value: '<key>',
      help: 'Key of the file type of the created files. Required.',
    },
    ...serviceOptions('imports'),
    skip: {
      type: 'string',
      multiple: true,
      value: '<glob>',
      help: 'Skips files and folders with a matching name, such as "*.tmp". May be repeated.',
    },
    parallel: {
      type: 'string',
      value: '<number>',
      default: '4',
      help: `Number of uploads at the same time, 1 to ${MAX_PARALLEL}.`,
    },
    'no-default-skips': { type: 'boolean', help: 'Also imports what is skipped by default (see above).' },
  },
  details: `Creates a file for each direct subfolder of <folder>, and one for <folder> itself if it directly contains documents.
Creates a document for each file on disk, at any depth. A second run imports only what is new. Symbolic links are not
followed.

Skipped by default: ${DEFAULT_SKIPS.slice(0, 9).join(', ')},
${DEFAULT_SKIPS.slice(9).join(', ')}.`,
  examples: [
    'npm run import -- --file-type building ~/scans',
    'npm run import -- --tenant acme --as alice@example.com --file-type invoice --skip "*.tmp" --skip drafts ~/invoices',
  ],
});

await runCommand(IMPORT, async ({ values, operands: [folder] }) => {
  const fileTypeKey = values['file-type'];
  if (fileTypeKey === undefined) throw new UsageError('--file-type is missing.');
  const root = path.resolve(folder);
  if (!(await stat(root).catch(() => null))?.isDirectory())
    throw new UsageError(`${folder} is not a folder.`);

  const parallel = Number(values.parallel);
  if (!Number.isInteger(parallel) || parallel < 1 || parallel > MAX_PARALLEL)
    throw new UsageError(`--parallel must be a whole number from 1 to ${MAX_PARALLEL}.`);

  const progress = new Progress(process.stderr);
  const { client, signal } = await connectToService(values, (text) => progress.note(text));
  const skipped = new SkippedNames([
    ...(values['no-default-skips'] ? [] : DEFAULT_SKIPS),
    ...(values.skip ?? []),
  ]);
  const result = await new FolderImport(client, progress, signal, parallel).run(
    await readFolders(root, skipped),
    fileTypeKey,
  );
  progress.end();
  print(result.summary(skipped.summary()));
  return result.isComplete ? 0 : 1;
});
