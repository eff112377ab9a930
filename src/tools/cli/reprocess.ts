import { loadConfiguration } from '../../platform/config/configuration.js';
import { CONTENT_TEXTS, type ContentText } from '../../resources/documents/document.entity.js';
import { TenantReprocessing } from '../../resources/documents/processing/tenant-reprocessing.js';
import { UsageError, command, print, runCommand } from './command.js';
import { tenantIdOf, withUnitOfWork } from './tenant-database.js';

const CHOICES = CONTENT_TEXTS.filter((text) => text !== 'Pending');

const REPROCESS = command({
  summary: 'Has the contents of documents read again, for example after an upgrade that reads more formats.',
  usage: ['npm run reprocess -- --tenant <slug> [--text <state>] …'],
  options: {
    tenant: { type: 'string', value: '<slug>', help: 'Slug of the tenant. Required.' },
    text: {
      type: 'string',
      multiple: true,
      value: '<state>',
      help: `Contents whose text is in this state: ${CHOICES.join(', ')}.
May be repeated. Default: None and Failed.`,
    },
  },
  details: `Includes archived and confidential documents, but not the bin. Only adds jobs: the workers of the service read the
contents, after new uploads of the tenant. Searches find the former text until then. Writes no audit entries.
Reads the same environment variables as the service (DATABASE_URL, DATA_DIR). The service does not have to run.`,
  examples: [
    'npm run reprocess -- --tenant acme',
    'npm run reprocess -- --tenant acme --text None --text Available',
  ],
});

function stateOf(text: string): ContentText {
  const state = CHOICES.find((choice) => choice === text);
  if (!state) throw new UsageError(`--text must be one of ${CHOICES.join(', ')}.`);
  return state;
}

await runCommand(REPROCESS, async ({ values: { tenant, text = ['None', 'Failed'] } }) => {
  if (!tenant) throw new UsageError('--tenant is missing.');
  const states = text.map(stateOf);
  const count = await withUnitOfWork(loadConfiguration(), async (uow, dataSource) =>
    new TenantReprocessing(uow).reprocessAll(await tenantIdOf(dataSource, tenant), states),
  );
  print(`${count} documents will be read again.\n`);
});
