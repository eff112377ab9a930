import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { QUEUE_SCHEMA } from '../database/schema/queue-schema.js';

/** `pending` will be, or is being, done; `exhausted` has been tried as often as it may. */
type JobState = 'pending' | 'exhausted';

/** Questions about what is in the queue. */
@Injectable()
export class QueuedJobs {
  constructor(private readonly dataSource: DataSource) {}

  /** By key; of jobs that are not there, nothing. */
  async states(keys: readonly string[]): Promise<Map<string, JobState>> {
    const rows = await this.dataSource.query<{ key: string; state: JobState }[]>(
      `SELECT key, CASE WHEN is_available OR locked_at IS NOT NULL THEN 'pending' ELSE 'exhausted' END AS state
         FROM ${QUEUE_SCHEMA}._private_jobs WHERE key = ANY ($1::text[])`,
      [keys],
    );
    return new Map(rows.map(({ key, state }) => [key, state]));
  }

  /** Removes jobs that nobody will be at again: replaced while they ran, or tried in vain a week ago. */
  async removeExhausted(): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM ${QUEUE_SCHEMA}._private_jobs
        WHERE NOT is_available AND locked_at IS NULL AND (key IS NULL OR updated_at < now() - interval '7 days')`,
    );
  }
}
