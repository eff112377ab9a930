import { textFaults } from '../http/fields.js';
import { normalizeText } from '../common/text.js';
import { parseEmailAddress } from '../common/email-address.js';
import { loadConfiguration } from '../config/configuration.js';
import { STORAGE_OF_TENANT } from '../http/storage-quota.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Recording } from '../recording/recording.js';
import { TenantsService } from '../tenancy/tenants.service.js';
import { integer } from '../config/variable-readers.js';
import { withOwnerDatabase } from './owner-database.js';
import { UsageError, readArguments, runCommand } from './command.js';

const HELP = `Creates and lists tenants, and shows and sets their limits.

  npm run tenant -- create --slug <slug> --name <name> --admin <e-mail address> [--admin …]
  npm run tenant -- list
  npm run tenant -- limits <slug> [--storage-bytes <limit>] [--requests-per-minute <limit>] [--burst <limit>]

  --slug    Three to 63 lower-case letters, digits and hyphens: the tenant's place in paths.
  --name    What people call it.
  --admin   Becomes administrator at first sight of an access token with this address, verified. May be repeated.

  A limit is a whole number, or "default" for what the configuration says:

  --storage-bytes         Bytes of content that the tenant may keep. Applies within a minute.
  --requests-per-minute   Requests a minute of each caller.
  --burst                 Requests that a caller may send at once.
`;

/** What `limits` sets: the column of each option, its default, and the largest number that fits. */
const LIMITS = {
  'storage-bytes': ['storage_limit', 'tenantStorageLimit', Number.MAX_SAFE_INTEGER],
  'requests-per-minute': ['rate_limit_per_minute', 'rateLimitPerMinute', 2 ** 31 - 1],
  burst: ['rate_limit_burst', 'rateLimitBurst', 2 ** 31 - 1],
} as const;

type LimitOption = keyof typeof LIMITS;

interface TenantLine {
  slug: string;
  name: string;
  id: string;
  members: number;
  createdAt: string;
}

async function create({
  slug,
  name,
  admin,
}: {
  slug?: string;
  name?: string;
  admin?: string[];
}): Promise<void> {
  if (!slug || !name || !admin?.length) throw new UsageError('create takes --slug, --name and --admin.');
  const fault = textFaults(normalizeText(name), 1, 200);
  if (fault) throw new UsageError(`--name ${fault}.`);
  const addresses = admin.map((address) => {
    const email = parseEmailAddress(address);
    if (email === null) throw new UsageError(`${address} is not an e-mail address.`);
    return email;
  });
  const id = await withOwnerDatabase(loadConfiguration(), (dataSource) =>
    new TenantsService(new UnitOfWork(dataSource, new Recording())).create({
      slug,
      name: normalizeText(name),
      expected: addresses.map((email) => ({ email, roleKey: 'administrator' as const })),
    }),
  );
  process.stdout.write(
    `Made the tenant ${slug} (${id}); ${addresses.join(', ')} will be administrator there.\n`,
  );
}

async function list(): Promise<void> {
  const tenants = await withOwnerDatabase(loadConfiguration(), (dataSource) =>
    dataSource.transaction(async (manager) => {
      const rows = await manager.query<TenantLine[]>(
        `SELECT s.slug, t.name, t.id, t.created_at AS "createdAt", 0 AS members
           FROM tenants t JOIN tenant_slugs s ON s.tenant_id = t.id AND s.expires_at IS NULL ORDER BY s.slug`,
      );
      for (const row of rows) {
        // The wall holds for the owner, too: members are counted tenant by tenant.
        await manager.query(`SELECT set_config('app.tenant_id', $1, true)`, [row.id]);
        const [counted] = await manager.query<{ members: number }[]>(
          'SELECT count(*) AS members FROM members WHERE tenant_id = $1',
          [row.id],
        );
        row.members = counted?.members ?? 0;
      }
      return rows;
    }),
  );
  if (tenants.length === 0) process.stdout.write('There are no tenants.\n');
  for (const { slug, name, id, members, createdAt } of tenants) {
    process.stdout.write(
      `${slug.padEnd(24)} ${name.padEnd(40)} ${id}  ${members} members, since ${createdAt.slice(0, 10)}\n`,
    );
  }
}

async function limits(
  slug: string | undefined,
  options: Partial<Record<LimitOption, string>>,
): Promise<void> {
  if (!slug) throw new UsageError('limits takes the slug of a tenant.');
  const changes = (Object.keys(LIMITS) as LimitOption[])
    .filter((option) => options[option] !== undefined)
    .map((option) => [LIMITS[option][0], limitOf(option, options[option])] as const);
  const configuration = loadConfiguration();
  const row = await withOwnerDatabase(configuration, (dataSource) =>
    dataSource.transaction(async (manager) => {
      const [tenant] = await manager.query<{ id: string }[]>(
        `SELECT tenant_id AS id, set_config('app.tenant_id', tenant_id::text, true)
           FROM tenant_slugs WHERE slug = $1 AND expires_at IS NULL`,
        [slug],
      );
      if (!tenant) throw new UsageError(`There is no tenant ${slug}.`);
      if (changes.length > 0) {
        const columns = changes.map(([column], at) => `${column} = $${at + 2}`);
        // With a new access version, rate limits are read again.
        await manager.query(
          `UPDATE tenants SET ${columns.join(', ')}, access_version = access_version + 1, updated_at = now()
            WHERE id = $1`,
          [tenant.id, ...changes.map(([, value]) => value)],
        );
      }
      const [own] = await manager.query<Record<string, number | null>[]>(
        'SELECT * FROM tenants WHERE id = $1',
        [tenant.id],
      );
      const [{ used } = { used: 0 }] = await manager.query<{ used: number }[]>(STORAGE_OF_TENANT, [
        tenant.id,
      ]);
      return { ...own, used };
    }),
  );
  process.stdout.write(`storage-bytes-used     ${row.used}\n`);
  for (const [option, [column, setting]] of Object.entries(LIMITS)) {
    const own = (row as Record<string, number | null>)[column];
    process.stdout.write(`${option.padEnd(22)} ${own ?? `${configuration[setting]} (default)`}\n`);
  }
}

/** Null for the default. */
function limitOf(option: LimitOption, text = ''): number | null {
  if (text === 'default') return null;
  try {
    return integer(1, LIMITS[option][2], 1)(text);
  } catch (error) {
    throw new UsageError(`--${option} ${(error as Error).message}, or default.`);
  }
}

await runCommand(async () => {
  const { values, positionals } = readArguments({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: {
      slug: { type: 'string' },
      name: { type: 'string' },
      admin: { type: 'string', multiple: true },
      'storage-bytes': { type: 'string' },
      'requests-per-minute': { type: 'string' },
      burst: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const [command, ...rest] = positionals;
  const slug = command === 'limits' ? rest.shift() : undefined;
  if (values.help) return void process.stdout.write(HELP);
  if (rest.length > 0) throw new UsageError(`${rest[0] ?? ''} is one word too many.`);
  switch (command) {
    case 'create':
      return create(values);
    case 'list':
      return list();
    case 'limits':
      return limits(slug, values);
    default:
      throw new UsageError('Say create, list or limits.');
  }
});
