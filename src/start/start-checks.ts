import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../common/folder.js';
import { systemErrorReason } from '../common/system-error-reason.js';
import { type Configuration } from '../platform/config/configuration.js';
import { issuerUrl } from '../platform/identity/issuer-url.js';
import { type TokenVerifier } from '../platform/identity/token-verifier.js';
import { START_ERRORS } from '../tools/cli/command.js';

/** The message is one sentence for the operator. */
export class StartError extends Error {}

export function checkWorkerSettings({ databaseUrl, workerConcurrency }: Configuration): void {
  if (workerConcurrency === 0) throw new StartError('A worker with WORKER_CONCURRENCY=0 would run no jobs.');
  if (databaseUrl === undefined)
    throw new StartError('A worker requires DATABASE_URL: only one process can use the embedded database.');
}

/** Creates the folder for contents, the embedded database and temporary files, and checks that it is writable. */
export async function prepareDataFolder(configuration: Configuration): Promise<void> {
  const { dataDirectory, contentStore, databaseUrl, embeddedIssuer, workerConcurrency } = configuration;
  const isNeeded =
    contentStore === 'disk' || databaseUrl === undefined || embeddedIssuer || workerConcurrency > 0;
  if (!isNeeded) return;
  const fail = (action: string) => (error: unknown) => {
    throw new StartError(
      `The data folder ${dataDirectory} cannot be ${action} (${systemErrorReason(error)}). Set DATA_DIR to a folder that this user can write to.`,
    );
  };
  await makeFolder(dataDirectory).catch(fail('created'));
  const probe = path.join(dataDirectory, `.probe-${randomUUID()}`);
  await writeFile(probe, '').catch(fail('written'));
  await rm(probe, { force: true });
}

export async function warnIfIssuerFails(
  verifier: TokenVerifier,
  configuration: Configuration,
  print: (line: string) => void,
): Promise<void> {
  const { failure } = await verifier.issuerState();
  if (failure === undefined) return;
  print(
    `Warning: the issuer ${issuerUrl(configuration)} does not answer (${failure}). Until it does, requests with an access ` +
      'token and /readyz get a 503.',
  );
}

export function listenError(error: unknown, variable: string, host: string, port: number): Error {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} of ${host} is in use. Stop the program that uses it, or set ${variable} to another port.`,
      );
    case 'EACCES':
      return new StartError(
        `This user is not allowed to listen on port ${port} of ${host}. Set ${variable} to a port above 1023.`,
      );
    case 'EADDRNOTAVAIL':
      return new StartError(`${host} is not an address of this machine. Check HOST and METRICS_HOST.`);
    default:
      return error as Error;
  }
}

/** URL of the service on this machine. */
export function localUrl({ host, port }: Pick<Configuration, 'host' | 'port'>): string {
  return `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
}

/** One sentence for errors that the operator can correct; the stack trace for all others. */
export function messageFor(error: unknown): string {
  const isKnown = [StartError, ...START_ERRORS].some((kind) => error instanceof kind);
  if (isKnown) return (error as Error).message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
