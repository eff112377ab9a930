import { createServer, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseStartError } from './database-start-error.js';
import { inDataFolder } from './postgres-account.js';
import { OWNER } from './postgres-cluster.js';
import { type Postmaster, type PostmasterPlan, spawnPostmaster, stopPostmaster } from './postmaster.js';
import { run } from './processes.js';

const DATABASE = 'filing';
const PROGRESS_MS = 5000;
/**
 * How long to wait for a server that does not answer. A server in recovery does answer, so this limit does not apply
 * to it.
 */
const SILENCE_MS = 60_000;
/** Retries while shared memory of a killed server is in use: its backends take a moment to end. */
const LEFTOVER_TRIES = 40;
const LEFTOVER_MS = 250;
const PORT_TRIES = 3;

/** SQLSTATEs of PostgreSQL (appendix A of its documentation). */
const CANNOT_CONNECT_NOW = '57P03';
const INVALID_PASSWORD = '28P01';
const DUPLICATE_DATABASE = '42P04';

export function ownerUrl(port: number, password: string): string {
  return `postgres://${OWNER}:${password}@127.0.0.1:${port}/${DATABASE}`;
}

/** The port if it is free, else undefined. For port 0 any free port. */
export function freePort(port = 0): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : undefined));
    });
  });
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
  if (rowCount) return;
  await client.query(`CREATE DATABASE ${DATABASE}`).catch((error: unknown) => {
    if ((error as pg.DatabaseError).code !== DUPLICATE_DATABASE) throw error;
  });
}

/** While the server is starting, recovering or stopping. */
function isTemporary(code: string | undefined): boolean {
  return code?.startsWith('57P') === true;
}

type Outcome = 'ready' | 'wrong password' | { readonly reason: string };

/**
 * Waits until the server accepts connections and has the database. Ends early when its process ends or `signal`
 * aborts.
 */
async function waitUntilReady(
  postmaster: Postmaster,
  password: string,
  log: (line: string) => void,
  signal?: AbortSignal,
): Promise<Outcome> {
  let ended: Outcome | undefined;
  const end = postmaster.exited.then((reason) => (ended = { reason }));
  const begin = Date.now();
  let silentSince = begin;
  let reported = begin;
  for (;;) {
    signal?.throwIfAborted();
    const socket = new Socket();
    const client = new pg.Client({
      stream: () => socket,
      connectionString: ownerUrl(postmaster.port, password).replace(/[^/]*$/, 'postgres'),
      connectionTimeoutMillis: PROGRESS_MS,
      application_name: 'filing-service start',
    });
    client.on('error', () => undefined); // When the server ends meanwhile, the query fails as well.
    try {
      const ready = client.connect().then(() => ensureDatabase(client));
      // When the server has ended, another program may listen on its port and never answer.
      await Promise.race([ready, end]);
      if (!ended) {
        await client.end();
        return 'ready';
      }
      ready.catch(() => undefined);
    } catch (error) {
      const { code } = error as pg.DatabaseError;
      if (code === INVALID_PASSWORD) return 'wrong password';
      if (code === CANNOT_CONNECT_NOW) silentSince = Date.now();
      else if (error instanceof pg.DatabaseError && !isTemporary(code)) return { reason: error.message };
    } finally {
      socket.destroy();
    }
    await Promise.race([end, sleep(50)]);
    if (ended) return ended;
    if (Date.now() - silentSince > SILENCE_MS) return { reason: 'it does not answer' };
    if (Date.now() - reported > PROGRESS_MS) {
      reported = Date.now();
      log(`the database server is starting or recovering (${Math.round((reported - begin) / 1000)} s)`);
    }
  }
}

/**
 * Sets the owner's password to that in the file. PostgreSQL's single-user mode needs no password. The server must not
 * be running.
 */
async function resetPassword(plan: PostmasterPlan, password: string): Promise<void> {
  const { argument, options } = inDataFolder(plan.cluster, plan.account);
  await run(plan.binaries.postgres, ['--single', '-D', argument, 'postgres'], {
    ...options,
    input: `ALTER ROLE ${OWNER} PASSWORD '${password}'\n`,
  });
}

/**
 * Starts a server on the cluster and waits until it can be used.
 *
 * @param choosePort Returns a port to listen on. Called again when another program has taken the port meanwhile.
 * @throws DatabaseStartError when the server does not start
 */
export async function startServer(
  plan: PostmasterPlan,
  choosePort: () => Promise<number>,
  password: string,
  log: (line: string) => void,
  signal?: AbortSignal,
): Promise<Postmaster> {
  let isReset = false;
  for (let leftovers = 0, ports = 0; ;) {
    const postmaster = await spawnPostmaster(plan, await choosePort());
    const outcome = await waitUntilReady(postmaster, password, log, signal).catch(async (error: unknown) => {
      await stopPostmaster(postmaster, log);
      throw error;
    });
    if (outcome === 'ready') return postmaster;
    await stopPostmaster(postmaster, log);
    if (outcome === 'wrong password') {
      if (isReset)
        throw new DatabaseStartError('The embedded PostgreSQL refuses the password in postgres.secret.');
      log(
        'the embedded database has another password than postgres.secret: setting the password of the file',
      );
      await resetPassword(plan, password);
      isReset = true;
    } else if (/pre-existing shared memory block/.test(outcome.reason) && leftovers++ < LEFTOVER_TRIES) {
      await sleep(LEFTOVER_MS);
    } else if (!/TCP\/IP sockets/.test(outcome.reason) || ports++ >= PORT_TRIES) {
      throw new DatabaseStartError(
        `The embedded PostgreSQL did not start (${outcome.reason || 'no reason given'}). Its log is ${plan.logFile}.`,
      );
    }
  }
}
