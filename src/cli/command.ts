import { parseArgs, type ParseArgsConfig } from 'node:util';
import { Problem } from '../common/problem.js';
import { ConfigurationError } from '../config/configuration.js';
import { ContentStoreStartError } from '../content/content-store.js';
import { DatabaseStartError } from '../database/embedded/database-start-error.js';
import { DatabaseSetupError } from '../database/service-role.js';
import { PostgresProgramFailed } from './postgres-programs.js';

/** What was asked for makes no sense; the message is one sentence. */
export class UsageError extends Error {}

/** Reads the arguments; Node's own messages are cut down to the sentence that says what is wrong. */
export function readArguments<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const [fault = 'The arguments cannot be read'] = (error as Error).message.split(/[.\n]/);
    throw new UsageError(`${fault}.`);
  }
}

/** The folder that a command is about, its only argument; null where it was asked for help, which is then printed. */
export function readFolder(help: string): string | null {
  const { values, positionals } = readArguments({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    process.stdout.write(help);
    return null;
  }
  const [folder, ...rest] = positionals;
  if (folder === undefined || rest.length > 0) throw new UsageError('Name one folder.');
  return folder;
}

/** Runs a command: faults become one sentence on standard error, with exit code 2 for wrong usage, otherwise 1. */
export async function runCommand(run: () => Promise<number | void>): Promise<void> {
  try {
    process.exitCode = (await run()) ?? 0;
  } catch (error) {
    const usage = error instanceof UsageError;
    const expected =
      usage ||
      [
        Problem,
        ConfigurationError,
        ContentStoreStartError,
        DatabaseStartError,
        DatabaseSetupError,
        PostgresProgramFailed,
      ].some((kind) => error instanceof kind);
    const text =
      error instanceof Problem
        ? error.detail
        : expected
          ? (error as Error).message
          : String((error as Error).stack);
    process.stderr.write(`${text}${usage ? ' See --help.' : ''}\n`);
    process.exitCode = usage ? 2 : 1;
  }
}
