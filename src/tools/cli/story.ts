import { randomBytes } from 'node:crypto';
import { loadConfiguration } from '../../platform/config/configuration.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { findPerson } from '../../platform/identity/embedded/demo-people.js';
import { issueDemoToken } from '../../platform/identity/embedded/demo-token.js';
import { Recording } from '../../platform/recording/recording.js';
import { StoryBroken } from '../story/narrator.js';
import { STORY_PEOPLE, tellStory } from '../story/story.js';
import { TenantsService } from '../../platform/tenancy/tenants/tenants.service.js';
import { UsageError, command, print, runCommand } from './command.js';
import { requireService } from './running-service.js';
import { withOwnerDatabase } from '../backup/owner-database.js';

const STORY = command({
  summary:
    'Tells a story through the HTTP API of a running service, and prints each request with its answer.',
  usage: ['npm run story -- [options]'],
  options: {
    url: { type: 'string', value: '<base URL>', help: 'Where the service is; PUBLIC_URL unless given.' },
  },
  details: `It makes a new tenant of its own, with people of the embedded issuer. Takes the same variables as the service
(PORT, PUBLIC_URL, DATA_DIR, DATABASE_URL).`,
  examples: ['npm run story', 'PORT=3001 npm run story'],
});

await runCommand(STORY, async ({ values }) => {
  const configuration = loadConfiguration();
  if (!configuration.embeddedIssuer)
    throw new UsageError('The story needs the embedded issuer: unset OIDC_ISSUER.');
  const url = values.url ?? configuration.publicUrl;
  await requireService(url);

  const slug = `story-${randomBytes(4).toString('hex')}`;
  await withOwnerDatabase(configuration, (dataSource) =>
    new TenantsService(new UnitOfWork(dataSource, new Recording())).create({
      slug,
      name: 'A tenant with a story',
      expected: [{ email: STORY_PEOPLE.paula, roleKey: 'administrator' }],
    }),
  );
  try {
    await tellStory({
      url,
      slug,
      tokenFor: (email) => {
        const person = findPerson(email);
        if (!person) throw new StoryBroken(`${email} is nobody.`);
        return issueDemoToken({ configuration, person });
      },
      print: (line) => print(`${line}\n`),
    });
  } catch (error) {
    if (!(error instanceof StoryBroken)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
});
