import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A program of PostgreSQL that could not be run, or failed; it has said why on standard error. */
export class PostgresProgramFailed extends Error {
  override readonly name = 'PostgresProgramFailed';
}

/**
 * Runs `pg_dump` or `pg_restore` on the database of a URL. The password goes through the environment: command lines
 * are for everybody on the machine to read.
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
      ? new PostgresProgramFailed(
          `${program} is not on the PATH; it comes with PostgreSQL's client programs.`,
        )
      : error;
  })) as [number | null];
  if (code !== 0) throw new PostgresProgramFailed(adviceFor(errors) ?? `${program} failed.`);
}

function adviceFor(said: string): string | null {
  if (said.includes('row-level security')) {
    return (
      'The wall between tenants holds for this role, too. Dump as a superuser, or as a role that has BYPASSRLS and is a ' +
      'member of pg_read_all_data: set DATABASE_URL to it for this command.'
    );
  }
  return said.includes('server version mismatch')
    ? 'pg_dump is older than the server; use that of the server’s version, or a newer one.'
    : null;
}
