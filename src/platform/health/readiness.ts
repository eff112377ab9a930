import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { message } from '../../common/messages/message.js';
import { unavailable } from '../../common/problem.js';
import { poolOf } from '../database/connections/pool-of.js';
import { TokenVerifier } from '../identity/token-verifier.js';

const RETRY_AFTER_SECONDS = 2;

export const ISSUER_STATES = ['available', 'unavailable'] as const;

/**
 * Checks that the service can handle requests: it is not stopping, the database answers and takes writes, and the issuer has answered
 * at least once. An issuer that becomes unavailable later does not count: known keys still verify tokens. If it
 * counted, no instance would be ready, because all instances share the issuer.
 */
@Injectable()
export class Readiness {
  private stopping = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly verifier: TokenVerifier,
  ) {}

  stop(): void {
    this.stopping = true;
  }

  /**
   * @returns whether the issuer answers
   * @throws Problem 503 if the service is not ready
   */
  async check(): Promise<(typeof ISSUER_STATES)[number]> {
    if (this.stopping) throw unavailable(RETRY_AFTER_SECONDS, { detail: message('service.stopping') });
    const isReadOnly = await this.isReadOnly().catch(() => {
      throw unavailable(RETRY_AFTER_SECONDS, { detail: message('service.database') });
    });
    if (isReadOnly) throw unavailable(RETRY_AFTER_SECONDS, { detail: message('service.database-read-only') });
    const { hasAnswered, failure } = await this.verifier.issuerState();
    if (!hasAnswered) throw unavailable(RETRY_AFTER_SECONDS, { detail: message('service.issuer') });
    return failure === undefined ? 'available' : 'unavailable';
  }

  private async isReadOnly(): Promise<boolean> {
    const client = await poolOf(this.dataSource).connect();
    let broken = true;
    try {
      const { rows } = await client.query<{ readOnly: boolean }>(
        `SELECT current_setting('transaction_read_only')::boolean AS "readOnly"`,
      );
      // A read-only connection is closed, too: the next one may reach the new primary.
      broken = rows[0]?.readOnly !== false;
      return broken;
    } finally {
      client.release(broken);
    }
  }
}
