import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { message } from '../../common/messages/message.js';
import { unavailable } from '../../common/problem.js';
import { TokenVerifier } from '../identity/token-verifier.js';

/** Seconds. */
const RETRY_AFTER = 2;

export const ISSUER_STATES = ['available', 'unavailable'] as const;

/**
 * Whether the service takes requests: not before it has started, not once it is stopping, not without database, and not
 * before the issuer has answered once. Later, an issuer that is away changes nothing: all instances share it, tokens
 * are verified with the keys that are known, and instances that are all not ready would answer nothing at all.
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
   * Whether the issuer answers.
   *
   * @throws Problem (503) when the service takes no requests
   */
  async check(): Promise<(typeof ISSUER_STATES)[number]> {
    if (this.stopping) throw unavailable(RETRY_AFTER, { detail: message('service.stopping') });
    await this.dataSource.query('SELECT 1').catch(() => {
      throw unavailable(RETRY_AFTER, { detail: message('service.database') });
    });
    const { hasAnswered, failure } = await this.verifier.issuerState();
    if (!hasAnswered) throw unavailable(RETRY_AFTER, { detail: message('service.issuer') });
    return failure === undefined ? 'available' : 'unavailable';
  }
}
