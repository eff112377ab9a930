import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { parseArgs, promisify } from 'node:util';
import { UnexpectedAnswer } from './story-clients.js';
import { STORY_USERS, runStory } from './story.js';

const HELP = `Tells a story through the HTTP API of a running service, and prints each request with its answer. The story has a new
tenant of its own, with people of the embedded issuer.

  npm run story [-- --url <base URL>]

--url is PUBLIC_URL, or else the port PORT of this machine. The environment must be that of the service.
`;

/** Runs a command of the service and returns what it prints. */
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
      print: (line) => process.stdout.write(`${line}\n`),
    });
  } catch (error) {
    process.stderr.write(`${error instanceof UnexpectedAnswer ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
