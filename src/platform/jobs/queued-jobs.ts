import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { QUEUE_SCHEMA } from '../database/schema/queue-schema.js';

/** `pending`: waiting or running. `exhausted`: failed at its last attempt. */
type JobState = 'pending' | 'exhausted';

@Injectable()
export class QueuedJobs {
  constructor(private readonly dataSource: DataSource) {}

  /** States by job key. Keys without a job are missing in the result. */
  async states(keys: readonly string[]): Promise<Map<string, JobState>> {
    const rows = await this.dataSource.query<{ key: string; state: JobState }[]>(
      `SELECT key, CASE WHEN is_available OR locked_at IS NOT NULL THEN 'pending' ELSE 'exhausted' END AS state
         FROM ${QUEUE_SCHEMA}._private_jobs WHERE key = ANY ($1::text[])`,
      [keys],
    );
    return new Map(rows.map(({ key, state }) => [key, state]));
  }

  /** Removes jobs that will not run again: replaced while they ran, or exhausted for a week. */
  async removeExhausted(): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM ${QUEUE_SCHEMA}._private_jobs
        WHERE NOT is_available AND locked_at IS NULL AND (key IS NULL OR updated_at < now() - interval '7 days')`,
    );
  }
}
