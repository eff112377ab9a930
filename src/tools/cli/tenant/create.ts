import { message } from '../../../common/messages/message.js';
import { Problem } from '../../../common/problem.js';
import { loadConfiguration } from '../../../platform/config/configuration.js';
import { isAllowedSlug } from '../../../platform/tenancy/tenants/slug.js';
import { TenantsService } from '../../../platform/tenancy/tenants/tenants.service.js';
import { UsageError, command, print, subcommand } from '../command.js';
import { DATABASE, withUnitOfWork } from '../tenant-database.js';
import { emailAddress, tenantName } from './arguments.js';
import { RegistryTemplate, TEMPLATE_ENTITIES } from './registry-template.js';

const CREATE = command({
  summary: 'Creates a tenant.',
  usage: [
    'npm run tenant -- create --slug <slug> --name <name> --admin <e-mail address> [--admin …] [--template registry]',
  ],
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
    template: {
      type: 'string',
      value: 'registry',
      help: 'Adds the file types, their numbering and the document types of a registry. Default: an empty tenant.',
    },
  },
  details: DATABASE,
  examples: ['npm run tenant -- create --slug acme --name "Acme AG" --admin alice@example.com'],
});

export const create = subcommand(CREATE, async ({ values: { slug, name, admin, template } }) => {
  if (!slug || !name || !admin?.length) throw new UsageError('--slug, --name and --admin are required.');
  const isAvailable: boolean = isAllowedSlug(slug);
  if (!isAvailable) throw new UsageError(`The slug ${slug} is invalid or reserved.`);
  if (template !== undefined && template !== 'registry')
    throw new UsageError(`There is no template ${template}. The only one is registry.`);
  const tenant = {
    slug,
    name: tenantName(name),
    expectedMembers: admin.map((address) => ({
      email: emailAddress(address),
      roleKey: 'administrator' as const,
    })),
  };
  const configuration = loadConfiguration();
  const id = await withUnitOfWork(
    configuration,
    (uow, dataSource) =>
      new TenantsService(uow).create(tenant, async (tx) => {
        if (template) await new RegistryTemplate(dataSource, configuration).fill(tx);
      }),
    TEMPLATE_ENTITIES,
  ).catch((error: unknown) => {
    const taken = error instanceof Problem && error.code === 'tenant.slug-unavailable';
    throw taken ? new Problem(error.code, { detail: message('tenant.slug-taken', { slug }) }) : error;
  });
  const addresses = tenant.expectedMembers.map(({ email }) => email).join(', ');
  print(`Created the tenant ${slug} (${id}). Expected administrators: ${addresses}.\n`);
});
