import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { parseArgs, promisify } from 'node:util';
import { UnexpectedAnswer } from './story-clients.js';
import { STORY_USERS, runStory } from './story.js';

const HELP = `Runs an example through the HTTP API of a running service and prints each request with its answer. Creates its own
tenant, with users of the embedded issuer.

Usage:
  npm run story [-- --url <base URL>]

Default of --url: PUBLIC_URL, or else port PORT on this machine. Set the same environment variables as for the service.
`;

async function npm(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', ...args]);
  return stdout.trim();
}

const flag = { type: 'boolean', short: 'h' } as const;
const { values } = parseArgs({ options: { url: { type: 'string' }, help: flag } });
if (values.help) process.stdout.write(HELP);
else {
  const { PUBLIC_URL, PORT = '3000' } = process.env;
  const slug = `story-${randomBytes(4).toString('hex')}`;
  try {
    await npm('tenant', '--', 'create', '--slug', slug, '--name', 'Story', '--admin', STORY_USERS.paula);
    await runStory({
      url: values.url ?? PUBLIC_URL ?? `http://127.0.0.1:${PORT}`,
      slug,
      tokenFor: (email) => npm('token', '--', '--tenant', slug, '--as', email),
      ageFile: async (fileId) => {
        await promisify(execFile)(process.execPath, ['dist/src/tools/demo/age-file.js', slug, fileId]);
      },
      print: (line) => process.stdout.write(`${line}\n`),
    });
  } catch (error) {
    process.stderr.write(`${error instanceof UnexpectedAnswer ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
