import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A PostgreSQL program could not be started or failed. Its standard error shows the details. */
export class PostgresProgramFailed extends Error {
  override readonly name = 'PostgresProgramFailed';
}

/**
 * Runs `pg_dump` or `pg_restore` on the database of a URL. Passes the password in the environment, because all users of
 * the machine can read command lines.
 */
export async function runPostgresProgram(
  program: 'pg_dump' | 'pg_restore',
  url: string,
  args: readonly string[],
): Promise<void> {
  const database = new URL(url);
  const password = database.searchParams.get('password') ?? decodeURIComponent(database.password);
  database.password = '';
  database.searchParams.delete('password');
  const child = spawn(program, ['--dbname', database.toString(), ...args], {
    env: { ...process.env, ...(password && { PGPASSWORD: password }) },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
    process.stderr.write(chunk);
  });
  const [code] = (await once(child, 'close').catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT'
      ? new PostgresProgramFailed(`${program} is not on the PATH. Install the client programs of PostgreSQL.`)
      : error;
  })) as [number | null];
  const advice = Object.entries(ADVICE).find(([error]) => errors.includes(error))?.[1];
  if (code !== 0) throw new PostgresProgramFailed(advice ?? `${program} failed.`);
}

/** What to do about an error, by a part of its message. */
const ADVICE = {
  'row-level security':
    'Row-level security applies to the role in DATABASE_URL. Use a superuser, or a role that has BYPASSRLS and is a ' +
    'member of pg_read_all_data.',
  'server version mismatch':
    'pg_dump is older than the server. Use the version of the server or a newer one.',
};
