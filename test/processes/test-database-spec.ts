import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { connectAsService } from '../support/service-session.js';

describe('The test database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('is a separate migrated database', async () => {
    const owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
    const { rows } = await owner.query<{ files: string | null; name: string }>(
      `SELECT to_regclass('files') AS files, current_database() AS name`,
    );
    await owner.end();
    expect(rows).toEqual([{ files: 'files', name: expect.stringMatching(/^filing_test_/) }]);
  });

  it('has a service role that is subject to row-level security', async () => {
    const service = await connectAsService({ database });
    const { rows } = await service.query(
      `SELECT rolsuper, rolbypassrls, (SELECT count(*)::int FROM files) AS files FROM pg_roles WHERE rolname = current_user`,
    );
    await service.end();
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false, files: 0 }]);
  });

  it('is dropped even if clients are connected', async () => {
    const other = await createTestDatabase();
    const client = new pg.Client({ connectionString: other.ownerUrl });
    const ended = new Promise((resolve) => client.on('error', resolve));
    await client.connect();
    await other.drop();
    expect(await ended).toMatchObject({ code: '57P01' });
    await expect(new pg.Client({ connectionString: other.ownerUrl }).connect()).rejects.toMatchObject({
      code: '3D000',
    });
  });
});
