import { loadConfiguration } from '../../../platform/config/configuration.js';
import { serviceContext } from '../../../platform/tenancy/access/access.directory.js';
import { command, print, subcommand } from '../command.js';
import { DATABASE, withUnitOfWork } from '../tenant-database.js';

const LIST = command({
  summary: 'Lists the tenants.',
  usage: ['npm run tenant -- list'],
  options: {},
  details: DATABASE,
  examples: ['npm run tenant -- list'],
});

interface TenantLine {
  slug: string;
  name: string;
  id: string;
  members: number;
  /** Addresses of members who have not called yet. */
  expected: string[];
  createdAt: string;
  isSuspended: boolean;
}

export const list = subcommand(LIST, async () => {
  const tenants = await withUnitOfWork(loadConfiguration(), async (uow, dataSource) => {
    const rows = await dataSource.query<TenantLine[]>(
      `SELECT s.slug, t.name, t.id, t.created_at AS "createdAt", t.suspended_at IS NOT NULL AS "isSuspended",
              0 AS members, '{}'::text[] AS expected
         FROM tenants t JOIN tenant_slugs s ON s.tenant_id = t.id AND s.expires_at IS NULL ORDER BY s.slug`,
    );
    for (const row of rows) {
      // Row-level security applies to the owner as well, so members must be counted per tenant.
      const [counted] = await uow.read(serviceContext(row.id), (tx) =>
        tx.query<Pick<TenantLine, 'members' | 'expected'>>(
          `SELECT (SELECT count(*) FROM members WHERE tenant_id = $1) AS members,
                  ARRAY(SELECT email FROM expected_members WHERE tenant_id = $1 ORDER BY email) AS expected`,
          [row.id],
        ),
      );
      Object.assign(row, counted);
    }
    return rows;
  });
  if (tenants.length === 0) print('There are no tenants.\n');
  for (const { slug, name, id, members, expected, createdAt, isSuspended } of tenants) {
    const state = [
      `created ${createdAt.slice(0, 10)}`,
      ...(isSuspended ? ['suspended'] : []),
      ...expected.map((email) => `expects ${email}`),
    ].join(', ');
    print(`${slug.padEnd(24)} ${name.padEnd(40)} ${id}  ${members} members, ${state}\n`);
  }
});
