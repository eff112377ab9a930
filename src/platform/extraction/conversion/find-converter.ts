import { execFile } from 'node:child_process';
import { access, realpath } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Configuration, ConfigurationError } from '../../config/configuration.js';
import { isolationOfProgram } from '../isolation.js';
import { type Converter } from './converter.js';
import { LibreOffice } from './libreoffice.js';

const run = promisify(execFile);

/**
 * Returns the configured converter, which is ready for use; null if none is configured.
 *
 * @throws ConfigurationError when the program is not installed, or, in production, cannot be isolated from the network
 */
export async function findConverter(
  { converter, environment }: Pick<Configuration, 'converter' | 'environment'>,
  variables: NodeJS.ProcessEnv,
  debug: (message: string) => void,
  isolationOf = isolationOfProgram,
): Promise<Converter | null> {
  if (converter === 'off') return null;
  const program = await findProgram(variables.PATH ?? '');
  if (program === null) throw unusable('this program (soffice) is not on the PATH');
  const isolation = await isolationOf(program);
  if (environment === 'production' && !isolation.barriers.noNetwork)
    throw unusable(
      'its network cannot be taken away on this platform, which production requires (docs/extraction.md)',
    );
  const [command = '', ...args] = [...isolation.wrapper, program, '--version'];
  const user = isolation.switchUserAt === 'start' ? isolation.user : null;
  await run(command, args, { ...user, env: { PATH: variables.PATH }, timeout: 60_000 }).catch(
    (error: Error) => {
      throw unusable(`this program does not run (${error.message})`);
    },
  );
  const found = new LibreOffice(program, isolation, debug);
  await found.removeLeftovers();
  return found;
}

/** The program itself, not the script `soffice`, which starts it as a child process. */
async function findProgram(searchPath: string): Promise<string | null> {
  for (const folder of searchPath.split(path.delimiter)) {
    const script = await realpath(path.join(folder, 'soffice')).catch(() => null);
    if (script === null) continue;
    const program = path.join(path.dirname(script), 'soffice.bin');
    return access(program).then(
      () => program,
      () => script,
    );
  }
  return null;
}

function unusable(reason: string): ConfigurationError {
  return new ConfigurationError(`The configuration cannot be used: CONVERTER is libreoffice, but ${reason}.`);
}
