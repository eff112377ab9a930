import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { Problem } from '../../../../common/problem.js';
import { readOrCreate } from '../../../../common/read-or-create.js';
import { CONFIGURATION, type Configuration } from '../../../../platform/config/configuration.js';
import { KEY_BYTES, type SigningKey, signingKeyOf } from './signed-note.js';

/** The key that signs checkpoints, and the first part of their origin. Neither is in the database or a backup. */
@Injectable()
export class AuditSigner {
  private loading: Promise<SigningKey> | undefined;

  constructor(@Inject(CONFIGURATION) private readonly configuration: Configuration) {}

  /** Whether this process can sign. */
  get isReady(): boolean {
    const { environment, auditSigningKey, hasPublicUrl } = this.configuration;
    return environment !== 'production' || (auditSigningKey !== undefined && hasPublicUrl);
  }

  /** Throws the 409 if the service has no key, or no address of its own for the origin. */
  key(): Promise<SigningKey> {
    const { environment, auditSigningKey, hasPublicUrl, dataDirectory } = this.configuration;
    const isProduction = environment === 'production';
    if (isProduction && !auditSigningKey) throw new Problem('evidence.no-key');
    if (isProduction && !hasPublicUrl) throw new Problem('evidence.no-public-url');
    this.loading ??= (auditSigningKey ? Promise.resolve(auditSigningKey) : storedSeed(dataDirectory))
      .then(signingKeyOf)
      .catch((error: unknown) => {
        this.loading = undefined;
        throw error;
      });
    return this.loading;
  }

  /** Origin of the checkpoints of a log, and name of their keys. */
  originOf(tenantId: string, logId: string): string {
    return `${new URL(this.configuration.publicUrl).host}/t/${tenantId}/${logId}`;
  }
}

/** For a machine without configuration. Several processes of it use the file that was linked first. */
async function storedSeed(dataDirectory: string): Promise<Buffer> {
  const file = path.join(dataDirectory, 'audit', 'signing-key');
  return Buffer.from(await readOrCreate(file, () => randomBytes(KEY_BYTES).toString('base64')), 'base64');
}
