import { randomBytes } from 'node:crypto';
import { loadConfiguration } from '../config/configuration.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { findPerson } from '../identity/demo-people.js';
import { issueDemoToken } from '../identity/demo-token.js';
import { Recording } from '../recording/recording.js';
import { StoryBroken } from '../story/narrator.js';
import { STORY_PEOPLE, tellStory } from '../story/story.js';
import { TenantsService } from '../tenancy/tenants.service.js';
import { UsageError, readArguments, runCommand } from './command.js';
import { withOwnerDatabase } from './owner-database.js';

const HELP = `Tells a story through the HTTP API of a running service, and prints each request with its answer.

  npm run story -- [--url <base URL>]

It takes place in a new tenant of its own, with people of the embedded issuer. --url is PUBLIC_URL by default.
`;

await runCommand(async () => {
  const { values } = readArguments({
    args: process.argv.slice(2),
    options: { url: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) return void process.stdout.write(HELP);
  const configuration = loadConfiguration();
  if (!configuration.embeddedIssuer)
    throw new UsageError('The story needs the embedded issuer: unset OIDC_ISSUER.');
  const url = values.url ?? configuration.publicUrl;
  const alive = await fetch(`${url}/readyz`).catch(() => null);
  if (!alive?.ok) throw new UsageError(`Nothing serves at ${url}: run npm start first.`);

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
      print: (line) => process.stdout.write(`${line}\n`),
    });
  } catch (error) {
    if (!(error instanceof StoryBroken)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
});
