import { textFaults } from '../http/fields.js';
import { normalizeText } from '../common/text.js';
import { parseEmailAddress } from '../common/email-address.js';
import { loadConfiguration } from '../config/configuration.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Recording } from '../recording/recording.js';
import { TenantsService } from '../tenancy/tenants.service.js';
import { withOwnerDatabase } from './owner-database.js';
import { UsageError, readArguments, runCommand } from './command.js';

const HELP = `Makes and lists tenants.

  npm run tenant -- create --slug <slug> --name <name> --admin <e-mail address> [--admin …]
  npm run tenant -- list

  --slug    Three to 63 lower-case letters, digits and hyphens: the tenant's place in paths.
  --name    What people call it.
  --admin   Becomes administrator at first sight of an access token with this address, verified. May be repeated.
`;

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

await runCommand(async () => {
  const { values, positionals } = readArguments({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: {
      slug: { type: 'string' },
      name: { type: 'string' },
      admin: { type: 'string', multiple: true },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const [command, ...rest] = positionals;
  if (values.help) return void process.stdout.write(HELP);
  if (rest.length > 0) throw new UsageError(`${rest[0] ?? ''} is one word too many.`);
  switch (command) {
    case 'create':
      return create(values);
    case 'list':
      return list();
    default:
      throw new UsageError('Say create or list.');
  }
});
