import { loadConfiguration } from '../../../platform/config/configuration.js';
import { openContentStore } from '../../../platform/content/content.module.js';
import { TenantAdministration } from '../../../platform/tenancy/tenants/tenant-administration.js';
import { TenantDeletion } from '../../../platform/tenancy/tenants/tenant-deletion.js';
import { UsageError, command, print, subcommand } from '../command.js';
import { DATABASE, tenantIdOf, withUnitOfWork } from '../tenant-database.js';
import { emailAddress, tenantName } from './arguments.js';

const operand = { name: 'tenant slug' } as const;

const ADD_ADMIN = command({
  summary: 'Adds an administrator to a tenant.',
  usage: ['npm run tenant -- add-admin <slug> --admin <e-mail address> [--instead-of <e-mail address>]'],
  operand,
  options: {
    admin: {
      type: 'string',
      value: '<address>',
      help: `E-mail address of the administrator. A member with this address, verified, becomes administrator
at once, another user with the first request. Required.`,
    },
    'instead-of': {
      type: 'string',
      value: '<address>',
      help: 'Address of an administrator who has not called the tenant yet, for example a mistyped one: removes it.',
    },
  },
  details: DATABASE,
  examples: ['npm run tenant -- add-admin acme --admin alice@example.com --instead-of alice@exmaple.com'],
});

const RENAME = command({
  summary: 'Changes the display name of a tenant.',
  usage: ['npm run tenant -- rename <slug> --name <name>'],
  operand,
  options: { name: { type: 'string', value: '<name>', help: 'New display name. Required.' } },
  details: `Administrators change the slug themselves: PUT /settings/slug.\n${DATABASE}`,
  examples: ['npm run tenant -- rename acme --name "Acme GmbH"'],
});

const SUSPEND = command({
  summary: 'Suspends a tenant: refuses its requests and pauses its jobs, mail, webhooks and tasks.',
  usage: ['npm run tenant -- suspend <slug>'],
  operand,
  options: {},
  details: `Takes effect at once on all instances. Nothing is lost: resume continues all work.\n${DATABASE}`,
  examples: ['npm run tenant -- suspend acme'],
});

const RESUME = command({
  summary: 'Ends the suspension of a tenant.',
  usage: ['npm run tenant -- resume <slug>'],
  operand,
  options: {},
  details: DATABASE,
  examples: ['npm run tenant -- resume acme'],
});

const DELETE = command({
  summary: 'Deletes a suspended tenant with all its data, irrevocably.',
  usage: ['npm run --silent tenant -- delete <slug> --confirm <slug>'],
  operand,
  options: {
    confirm: { type: 'string', value: '<slug>', help: 'The slug of the tenant again. Required.' },
  },
  details: `Deletes the rows of the tenant, its contents, its waiting jobs and its slugs, which become available again. Holds and
retention periods do not prevent it. Backups, and users without other tenants, stay. Prints what was deleted, as JSON:
keep it as evidence. Repeat the command after an interruption.\n${DATABASE} Run it with the content settings of the
service.`,
  examples: ['npm run --silent tenant -- delete acme --confirm acme > deleted-acme.json'],
});

export const addAdmin = subcommand(ADD_ADMIN, async ({ operands: [slug], values }) => {
  const { admin, 'instead-of': insteadOf } = values;
  if (!admin) throw new UsageError('--admin is required.');
  const email = emailAddress(admin);
  const former = insteadOf === undefined ? null : emailAddress(insteadOf);
  const result = await administer(slug, (tenants, id) => tenants.addAdministrator(id, email, former));
  const text = {
    expected: `${email} becomes administrator of ${slug} with the first request.`,
    promoted: `${email} is now administrator of ${slug}.`,
    unchanged: `${email} already is, or becomes, administrator of ${slug}.`,
  };
  print(`${text[result]}${former === null ? '' : ` ${former} is no longer expected.`}\n`);
});

export const rename = subcommand(RENAME, async ({ operands: [slug], values: { name } }) => {
  if (!name) throw new UsageError('--name is required.');
  const newName = tenantName(name);
  const isChanged = await administer(slug, (tenants, id) => tenants.rename(id, newName));
  print(isChanged ? `Renamed ${slug} to ${newName}.\n` : `${slug} already has this name.\n`);
});

export const suspend = subcommand(SUSPEND, async ({ operands: [slug] }) => {
  const isChanged = await administer(slug, (tenants, id) => tenants.suspend(id));
  print(isChanged ? `Suspended ${slug}.\n` : `${slug} is already suspended.\n`);
});

export const resume = subcommand(RESUME, async ({ operands: [slug] }) => {
  const isChanged = await administer(slug, (tenants, id) => tenants.resume(id));
  print(isChanged ? `Resumed ${slug}.\n` : `${slug} is not suspended.\n`);
});

export const deleteTenant = subcommand(DELETE, async ({ operands: [slug], values: { confirm } }) => {
  if (confirm !== slug) throw new UsageError(`Repeat the slug to delete the tenant: --confirm ${slug}.`);
  const configuration = loadConfiguration();
  const store = await openContentStore(configuration);
  try {
    await withUnitOfWork(configuration, async (uow, dataSource) => {
      const id = await tenantIdOf(dataSource, slug);
      await new TenantDeletion(uow, store).run(id, (record) => print(`${JSON.stringify(record, null, 2)}\n`));
    });
  } finally {
    await store.close();
  }
  process.stderr.write(`Deleted ${slug}.\n`);
});

function administer<T>(
  slug: string,
  change: (tenants: TenantAdministration, tenantId: string) => Promise<T>,
): Promise<T> {
  return withUnitOfWork(loadConfiguration(), async (uow, dataSource) =>
    change(new TenantAdministration(uow), await tenantIdOf(dataSource, slug)),
  );
}
