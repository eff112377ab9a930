import { parseEmailAddress } from '../../common/email-address.js';
import { message, textOf } from '../../common/messages/message.js';
import { Problem } from '../../common/problem.js';
import { nameError } from '../../common/text-error.js';
import { normalizeName } from '../../common/text.js';
import { loadConfiguration } from '../../platform/config/configuration.js';
import { integer } from '../../platform/config/variable-readers.js';
import { serviceContext } from '../../platform/tenancy/access/access.directory.js';
import { STORAGE_OF_TENANT } from '../../platform/tenancy/tenants/tenants.reader.js';
import { isAllowedSlug } from '../../platform/tenancy/tenants/slug.js';
import { TenantsService } from '../../platform/tenancy/tenants/tenants.service.js';
import { type Arguments, UsageError, command, print, runCommand } from './command.js';
import { tenantIdOf, withUnitOfWork } from './tenant-database.js';

const TENANT = command({
  summary: 'Creates and lists tenants, and shows and sets their limits. Each subcommand has its own --help.',
  usage: [
    'npm run tenant -- create --slug <slug> --name <name> --admin <e-mail address>',
    'npm run tenant -- list',
    'npm run tenant -- limits <slug> [options]',
  ],
  options: {},
  examples: ['npm run tenant -- create --help', 'npm run tenant -- list'],
});

const DATABASE =
  'Reads the same environment variables as the service (DATABASE_URL, DATA_DIR). The service does not have to run.';

const CREATE = command({
  summary: 'Creates a tenant.',
  usage: ['npm run tenant -- create --slug <slug> --name <name> --admin <e-mail address> [--admin …]'],
  options: {
    slug: {
      type: 'string',
      value: '<slug>',
      help: 'Identifies the tenant in URLs: 3 to 63 lower-case letters, digits and hyphens. Required.',
    },
    name: { type: 'string', value: '<name>', help: 'Display name of the tenant. Required.' },
    admin: {
      type: 'string',
      multiple: true,
      value: '<address>',
      help: `E-mail address of an administrator. A user becomes administrator with the first request
whose access token has this address, verified. Required; may be repeated.`,
    },
  },
  details: DATABASE,
  examples: ['npm run tenant -- create --slug acme --name "Acme AG" --admin alice@example.com'],
});

const LIST = command({
  summary: 'Lists the tenants.',
  usage: ['npm run tenant -- list'],
  options: {},
  details: DATABASE,
  examples: ['npm run tenant -- list'],
});

const LIMITS = command({
  summary: 'Sets the given limits of a tenant and shows all of them.',
  usage: ['npm run tenant -- limits <slug> [options]'],
  operand: { name: 'tenant slug' },
  options: {
    'storage-bytes': {
      type: 'string',
      value: '<limit>',
      help: 'Maximum bytes of stored content. Takes effect within a minute.',
    },
    'requests-per-minute': { type: 'string', value: '<limit>', help: 'Requests per minute and caller.' },
    burst: { type: 'string', value: '<limit>', help: 'Requests that a caller may send in one burst.' },
  },
  details: `A limit is a whole number, or "default" for the configured value.\n${DATABASE}`,
  examples: [
    'npm run tenant -- limits acme',
    'npm run tenant -- limits acme --storage-bytes 21474836480 --burst default',
  ],
});

/** For each option of `limits`: column, setting with the default, maximum of the column. */
const LIMIT_COLUMNS = {
  'storage-bytes': ['storage_limit', 'tenantStorageLimit', Number.MAX_SAFE_INTEGER],
  'requests-per-minute': ['rate_limit_per_minute', 'rateLimitPerMinute', 2 ** 31 - 1],
  burst: ['rate_limit_burst', 'rateLimitBurst', 2 ** 31 - 1],
} as const;

type LimitOption = keyof typeof LIMIT_COLUMNS;

interface TenantLine {
  slug: string;
  name: string;
  id: string;
  members: number;
  createdAt: string;
}

async function create({ slug, name, admin }: Arguments<typeof CREATE>['values']): Promise<void> {
  if (!slug || !name || !admin?.length) throw new UsageError('--slug, --name and --admin are required.');
  const isAvailable: boolean = isAllowedSlug(slug);
  if (!isAvailable) throw new UsageError(`The slug ${slug} is invalid or reserved.`);
  const error = nameError(normalizeName(name), 200);
  if (error) throw new UsageError(`--name ${textOf(error, 'en')}.`);
  const addresses = admin.map((address) => {
    const email = parseEmailAddress(address);
    if (email === null) throw new UsageError(`${address} is not an e-mail address.`);
    return email;
  });
  const id = await withUnitOfWork(loadConfiguration(), (uow) =>
    new TenantsService(uow).create({
      slug,
      name: normalizeName(name),
      expectedMembers: addresses.map((email) => ({ email, roleKey: 'administrator' as const })),
    }),
  ).catch((error: unknown) => {
    const taken = error instanceof Problem && error.code === 'tenant.slug-unavailable';
    throw taken ? new Problem(error.code, { detail: message('tenant.slug-taken', { slug }) }) : error;
  });
  print(`Created the tenant ${slug} (${id}). Expected administrators: ${addresses.join(', ')}.\n`);
}

async function list(): Promise<void> {
  const tenants = await withUnitOfWork(loadConfiguration(), async (uow, dataSource) => {
    const rows = await dataSource.query<TenantLine[]>(
      `SELECT s.slug, t.name, t.id, t.created_at AS "createdAt", 0 AS members
         FROM tenants t JOIN tenant_slugs s ON s.tenant_id = t.id AND s.expires_at IS NULL ORDER BY s.slug`,
    );
    for (const row of rows) {
      // Row-level security applies to the owner as well, so members must be counted per tenant.
      const [counted] = await uow.read(serviceContext(row.id), (tx) =>
        tx.query<{ members: number }>('SELECT count(*) AS members FROM members WHERE tenant_id = $1', [
          row.id,
        ]),
      );
      row.members = counted?.members ?? 0;
    }
    return rows;
  });
  if (tenants.length === 0) print('There are no tenants.\n');
  for (const { slug, name, id, members, createdAt } of tenants) {
    print(
      `${slug.padEnd(24)} ${name.padEnd(40)} ${id}  ${members} members, created ${createdAt.slice(0, 10)}\n`,
    );
  }
}

async function limits(slug: string, options: Arguments<typeof LIMITS>['values']): Promise<void> {
  const changes = (Object.keys(LIMIT_COLUMNS) as LimitOption[])
    .filter((option) => options[option] !== undefined)
    .map((option) => [LIMIT_COLUMNS[option][0], limitOf(option, options[option])] as const);
  const configuration = loadConfiguration();
  const row = await withUnitOfWork(configuration, async (uow, dataSource) => {
    const tenantId = await tenantIdOf(dataSource, slug);
    return uow.write(serviceContext(tenantId), async (tx) => {
      if (changes.length > 0) {
        // A new access version makes the instances read the rate limits again.
        await tx.startAccessChange();
        const columns = changes.map(([column], at) => `${column} = $${at + 2}`);
        await tx.query(`UPDATE tenants SET ${columns.join(', ')}, updated_at = now() WHERE id = $1`, [
          tx.tenantId,
          ...changes.map(([, value]) => value),
        ]);
      }
      const [own] = await tx.query<Record<string, number | null>>('SELECT * FROM tenants WHERE id = $1', [
        tx.tenantId,
      ]);
      const [{ used } = { used: 0 }] = await tx.query<{ used: number }>(STORAGE_OF_TENANT, [tx.tenantId]);
      return { ...own, used };
    });
  });
  print(`storage-bytes-used     ${row.used}\n`);
  for (const [option, [column, setting]] of Object.entries(LIMIT_COLUMNS)) {
    const own = (row as Record<string, number | null>)[column];
    print(`${option.padEnd(22)} ${own ?? `${configuration[setting]} (default)`}\n`);
  }
}

/** Null for the default. */
function limitOf(option: LimitOption, text = ''): number | null {
  if (text === 'default') return null;
  try {
    return integer(1, LIMIT_COLUMNS[option][2], 1)(text);
  } catch (error) {
    throw new UsageError(`--${option} ${(error as Error).message}, or "default".`);
  }
}

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
  default:
    await runCommand(
      TENANT,
      () => Promise.reject(new UsageError('Expected a subcommand: create, list or limits.')),
      process.argv.slice(2).filter((argument) => argument.startsWith('-')),
    );
}
