import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { newId } from '../../../../src/common/identifier.js';
import { MigratedDatabase } from './migration.js';

const MIGRATION = 'DocumentWords1795565000000';

describe('DocumentWords migration', () => {
  let database: MigratedDatabase;
  let owner: DataSource;
  beforeAll(async () => {
    database = await MigratedDatabase.create();
    ({ owner } = database);
  });
  afterAll(() => database.drop());

  it('queues the documents of all tenants that are not confidential, and can be reverted', async () => {
    await database.undo(MIGRATION);
    const [user, ...tenants] = [newId(), newId(), newId()];
    await owner.query(
      `INSERT INTO users (id, issuer, subject, name_key) VALUES ($1, 'https://issuer.example', 's', 's')`,
      [user],
    );
    const queued: object[] = [];
    for (const tenant of tenants) {
      await owner.query(`INSERT INTO tenants (id, name) VALUES ($1, 'Tenant')`, [tenant]);
      for (const isConfidential of [false, true]) {
        const id = newId();
        await owner.query(
          `INSERT INTO documents (tenant_id, id, title, status, is_confidential, created_by)
           VALUES ($1, $2, 'Plan', 'Active', $3, $4)`,
          [tenant, id, isConfidential, user],
        );
        if (!isConfidential) queued.push({ tenant_id: tenant, document_id: id });
      }
    }

    await owner.runMigrations({ transaction: 'each' });

    expect(await owner.query<object[]>('SELECT tenant_id, document_id FROM word_queue ORDER BY 2')).toEqual(
      queued,
    );
    const forced = await owner.query<object[]>(
      `SELECT relname FROM pg_class
        WHERE relname IN ('documents', 'document_words', 'word_queue', 'lexicons') AND relforcerowsecurity`,
    );
    expect(forced).toHaveLength(4);
  });
});
