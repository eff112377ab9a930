import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from './common/folder.js';
import { systemErrorReason } from './common/system-error-reason.js';
import { type Configuration } from './platform/config/configuration.js';
import { issuerUrl } from './platform/identity/issuer-url.js';
import { type TokenVerifier } from './platform/identity/token-verifier.js';

/** The start failed; the message is one sentence for the operator. */
export class StartError extends Error {}

export function checkWorkerSettings({ databaseUrl, workerConcurrency }: Configuration): void {
  if (workerConcurrency === 0) throw new StartError('A worker with WORKER_CONCURRENCY=0 would do nothing.');
  if (databaseUrl === undefined)
    throw new StartError('A worker needs DATABASE_URL: the embedded database is that of one process.');
}

/** Where contents, the embedded database and local copies of contents are put: what cannot be written is noticed now. */
export async function prepareDataFolder(configuration: Configuration): Promise<void> {
  const { dataDirectory, contentStore, databaseUrl, embeddedIssuer, workerConcurrency } = configuration;
  const isNeeded =
    contentStore === 'disk' || databaseUrl === undefined || embeddedIssuer || workerConcurrency > 0;
  if (!isNeeded) return;
  const fails = (what: string) => (error: unknown) => {
    throw new StartError(
      `The data folder ${dataDirectory} cannot be ${what} (${systemErrorReason(error)}): set DATA_DIR to a folder that this user can write.`,
    );
  };
  await makeFolder(dataDirectory).catch(fails('made'));
  const probe = path.join(dataDirectory, `.probe-${randomUUID()}`);
  await writeFile(probe, '').catch(fails('written'));
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
      'token are answered 503, and so is /readyz.',
  );
}

export function listenError(error: unknown, variable: string, host: string, port: number): Error {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} of ${host} is in use: stop what listens there, or set ${variable} to another port.`,
      );
    case 'EACCES':
      return new StartError(
        `Port ${port} of ${host} may not be opened by this user: set ${variable} to a port above 1023.`,
      );
    case 'EADDRNOTAVAIL':
      return new StartError(`${host} is not an address of this machine: check HOST and METRICS_HOST.`);
    default:
      return error as Error;
  }
}
