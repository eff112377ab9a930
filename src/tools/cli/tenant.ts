import { UsageError, command, runCommand } from './command.js';
import { addAdmin, deleteTenant, rename, resume, suspend } from './tenant/administration.js';
import { create } from './tenant/create.js';
import { limits } from './tenant/limits.js';
import { list } from './tenant/list.js';

const TENANT = command({
  summary: 'Creates, lists, changes, suspends and deletes tenants. Each subcommand has its own --help.',
  usage: [
    'npm run tenant -- create --slug <slug> --name <name> --admin <e-mail address> [--template registry]',
    'npm run tenant -- list',
    'npm run tenant -- limits <slug> [options]',
    'npm run tenant -- add-admin <slug> --admin <e-mail address>',
    'npm run tenant -- rename <slug> --name <name>',
    'npm run tenant -- suspend <slug>',
    'npm run tenant -- resume <slug>',
    'npm run tenant -- delete <slug> --confirm <slug>',
  ],
  options: {},
  examples: ['npm run tenant -- create --help', 'npm run tenant -- list'],
});

const SUBCOMMANDS = new Map(
  Object.entries({
    ...{ create, list, limits, 'add-admin': addAdmin },
    ...{ rename, suspend, resume, delete: deleteTenant },
  }),
);

/** Without a known subcommand: prints the help, or refuses. */
function refuse(args: readonly string[]): Promise<void> {
  const names = [...SUBCOMMANDS.keys()].join(', ').replace(/, (?=\w+$)/, ' or ');
  const refusal = new UsageError(`Expected a subcommand: ${names}.`);
  return runCommand(
    TENANT,
    () => Promise.reject(refusal),
    args.filter((argument) => argument.startsWith('-')),
  );
}

const [name = '', ...args] = process.argv.slice(2);
const run = SUBCOMMANDS.get(name);
await (run ? run(args) : refuse(process.argv.slice(2)));
