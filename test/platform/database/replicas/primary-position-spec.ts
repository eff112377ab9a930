import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PrimaryPosition } from '../../../../src/platform/database/replicas/primary-position.js';
import { type TenantBatch } from '../../../../src/platform/database/transactions/tenant-batch.js';
import { service } from '../../../support/service/shared-service.js';

describe('PrimaryPosition', () => {
  let pool: pg.Pool;
  beforeAll(async () => {
    pool = new pg.Pool({ connectionString: service.database.serviceUrl });
  });
  afterAll(() => pool.end());

  it('answers a request with a read that starts after the request, and shares it', async () => {
    let reads = 0;
    let deliver: () => void = () => undefined;
    const delivered = new Promise<void>((resolve) => (deliver = resolve));
    let isRead: () => void = () => undefined;
    const firstRead = new Promise<void>((resolve) => (isRead = resolve));
    const late = async <T>(rows: T): Promise<T> => {
      isRead();
      await delivered;
      return rows;
    };
    // Delivers the result of the first read later.
    const slow = {
      async connect() {
        const client = await pool.connect();
        return {
          release: () => client.release(),
          query: (batch: TenantBatch) => {
            const isFirst = (reads += 1) === 1;
            const done = client.query(batch).done;
            return { done: isFirst ? done.then(late) : done };
          },
        };
      },
    };
    const position = new PrimaryPosition(slow as unknown as pg.Pool, pg.types);
    const early = position.read();
    await firstRead;
    const written = await service.query<{ lsn: string }>(
      `SELECT pg_logical_emit_message(false, 'test', 'a record') AS ignored, pg_current_wal_insert_lsn()::text AS lsn`,
    );
    const joined = [position.read(), position.read()];
    deliver();
    const [first, second, third] = await Promise.all([early, ...joined]);
    expect(reads).toBe(2);
    expect(third).toEqual(second);
    const compare = `SELECT $1::pg_lsn < $2::pg_lsn AS less, $3::pg_lsn <= $2::pg_lsn AS "includesWrite"`;
    expect(await service.query(compare, [first?.lsn, second?.lsn, written[0]?.lsn])).toEqual([
      { less: true, includesWrite: true },
    ]);
  });
});
