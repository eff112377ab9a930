import { UsageError, command, runCommand } from './command.js';
import {
  ADD_ADMIN,
  DELETE,
  RENAME,
  RESUME,
  SUSPEND,
  addAdmin,
  deleteTenant,
  rename,
  resume,
  suspend,
} from './tenant/administration.js';
import { CREATE, create } from './tenant/create.js';
import { LIMITS, limits } from './tenant/limits.js';
import { LIST, list } from './tenant/list.js';

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

const [name = '', ...args] = process.argv.slice(2);
switch (name) {
  case 'create':
    await runCommand(CREATE, ({ values }) => create(values), args);
    break;
  case 'list':
    await runCommand(LIST, list, args);
    break;
  case 'limits':
    await runCommand(LIMITS, ({ values, operands: [slug] }) => limits(slug, values), args);
    break;
  case 'add-admin':
    await runCommand(ADD_ADMIN, ({ values, operands: [slug] }) => addAdmin(slug, values), args);
    break;
  case 'rename':
    await runCommand(RENAME, ({ values, operands: [slug] }) => rename(slug, values), args);
    break;
  case 'suspend':
    await runCommand(SUSPEND, ({ operands: [slug] }) => suspend(slug), args);
    break;
  case 'resume':
    await runCommand(RESUME, ({ operands: [slug] }) => resume(slug), args);
    break;
  case 'delete':
    await runCommand(DELETE, ({ values, operands: [slug] }) => deleteTenant(slug, values), args);
    break;
  default:
    await runCommand(
      TENANT,
      () =>
        Promise.reject(
          new UsageError(
            'Expected a subcommand: create, list, limits, add-admin, rename, suspend, resume or delete.',
          ),
        ),
      process.argv.slice(2).filter((argument) => argument.startsWith('-')),
    );
}
