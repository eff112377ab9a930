import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { readOrCreate } from '../../../common/read-or-create.js';
import { ConfigurationError, type Configuration } from '../../config/configuration.js';

/** RS256: every client supports it, and it is the fastest to verify. */
export const SIGNING_ALGORITHM = 'RS256';

/** Stored on disk. Otherwise a restart would invalidate all tokens and pending logins. */
export interface IssuerSecrets {
  /** Private RSA key, with `kid`, `alg` and `use`. */
  readonly signingKey: JWK;
  readonly cookieKeys: readonly string[];
  readonly demoMachineSecret: string;
}

/** Anyone can log in at the embedded issuer as any user. */
export function refuseInProduction(configuration: Pick<Configuration, 'environment'>): void {
  if (configuration.environment === 'production') {
    throw new ConfigurationError(
      'The embedded issuer is for demonstration only and does not run in production.',
    );
  }
}

/**
 * Reads the secrets from `<DATA_DIR>/issuer/secrets.json`, or generates them on first use.
 *
 * @throws ConfigurationError when the file cannot be read or written, or is damaged
 */
export async function loadIssuerSecrets(dataDirectory: string): Promise<IssuerSecrets> {
  const folder = path.join(dataDirectory, 'issuer');
  const file = path.join(folder, 'secrets.json');
  try {
    return parseSecrets(await readOrCreate(file, generateSecrets), file);
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(
      `The embedded issuer cannot store its keys in ${folder} (${code}). Check DATA_DIR.`,
    );
  }
}

function parseSecrets(text: string, file: string): IssuerSecrets {
  try {
    const secrets = JSON.parse(text) as IssuerSecrets;
    if (secrets.signingKey.kid && secrets.cookieKeys.length > 0 && secrets.demoMachineSecret) return secrets;
  } catch {
    // Reported below, like missing members.
  }
  throw new ConfigurationError(`${file} is damaged. Delete it; the embedded issuer then generates new keys.`);
}

async function generateSecrets(): Promise<string> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true, modulusLength: 2048 });
  const key = await exportJWK(privateKey);
  const secrets: IssuerSecrets = {
    signingKey: { ...key, kid: await calculateJwkThumbprint(key), alg: SIGNING_ALGORITHM, use: 'sig' },
    cookieKeys: [randomBytes(32).toString('base64url')],
    demoMachineSecret: randomBytes(32).toString('base64url'),
  };
  return JSON.stringify(secrets, null, 2);
}
