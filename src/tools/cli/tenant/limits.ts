import { loadConfiguration } from '../../../platform/config/configuration.js';
import { serviceContext } from '../../../platform/tenancy/access/access.directory.js';
import { STORAGE_OF_TENANT } from '../../../platform/tenancy/tenants/tenants.reader.js';
import { command, print, subcommand, wholeNumber } from '../command.js';
import { DATABASE, tenantIdOf, withUnitOfWork } from '../tenant-database.js';

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

export const limits = subcommand(LIMITS, async ({ operands: [slug], values: options }) => {
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
});

/** Null for the default. */
function limitOf(option: LimitOption, text = ''): number | null {
  return text === 'default' ? null : wholeNumber(option, text, LIMIT_COLUMNS[option][2], ', or "default"');
}
