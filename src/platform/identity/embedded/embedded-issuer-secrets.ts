import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { makeFolder } from '../../../common/folder.js';
import { ConfigurationError, type Configuration } from '../../config/configuration.js';

/** RS256: every client knows it, and it is the cheapest to verify. */
export const SIGNING_ALGORITHM = 'RS256';

/** What must outlive a restart, or every token and every sign-in would end with it. */
export interface IssuerSecrets {
  /** Private, RSA; with `kid`, `alg` and `use`. */
  readonly signingKey: JWK;
  readonly cookieKeys: readonly string[];
  readonly demoMachineSecret: string;
}

/** The embedded issuer lets anybody be anybody. */
export function refuseInProduction(configuration: Pick<Configuration, 'environment'>): void {
  if (configuration.environment === 'production') {
    throw new ConfigurationError(
      'The embedded issuer is for demonstration only and does not run in production.',
    );
  }
}

/**
 * Reads the secrets from `<DATA_DIR>/issuer/secrets.json`, making them the first time.
 *
 * @throws ConfigurationError when they cannot be kept there, or are damaged
 */
export async function loadIssuerSecrets(dataDirectory: string): Promise<IssuerSecrets> {
  const folder = path.join(dataDirectory, 'issuer');
  const file = path.join(folder, 'secrets.json');
  try {
    const text = (await readIfExists(file)) ?? (await saveNewSecrets(folder, file));
    return parseSecrets(text, file);
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    const { code = 'unknown fault' } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(
      `The embedded issuer cannot keep its keys in ${folder} (${code}); see DATA_DIR.`,
    );
  }
}

/**
 * When the service and the command line both find none, the first to finish wins and both use the same: the
 * file is written aside and linked into place, which fails where there is one already.
 */
async function saveNewSecrets(folder: string, file: string): Promise<string> {
  await makeFolder(folder, 0o700);
  const draft = path.join(folder, `${randomUUID()}.draft`);
  await writeFile(draft, JSON.stringify(await generateSecrets(), null, 2), { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(file, 'utf8');
}

async function readIfExists(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function parseSecrets(text: string, file: string): IssuerSecrets {
  try {
    const secrets = JSON.parse(text) as IssuerSecrets;
    if (secrets.signingKey.kid && secrets.cookieKeys.length > 0 && secrets.demoMachineSecret) return secrets;
  } catch {
    // Whatever is wrong with it, the same helps.
  }
  throw new ConfigurationError(`${file} is damaged. Delete it, and the embedded issuer makes new keys.`);
}

async function generateSecrets(): Promise<IssuerSecrets> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true, modulusLength: 2048 });
  const key = await exportJWK(privateKey);
  return {
    signingKey: { ...key, kid: await calculateJwkThumbprint(key), alg: SIGNING_ALGORITHM, use: 'sig' },
    cookieKeys: [randomBytes(32).toString('base64url')],
    demoMachineSecret: randomBytes(32).toString('base64url'),
  };
}
