import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { queryOf } from '../../../../src/platform/database/distribution/distributed-schema.js';
import { TENANT_CONDITION } from '../../../../src/platform/database/schema/tenant-table.js';
import { withVisibleRows } from '../../../../src/platform/database/schema/visible-rows.js';
import { TestService } from '../../../support/service/service.js';

const ADD_KEY = `ALTER TABLE letters ADD CONSTRAINT fk_letters_folder
  FOREIGN KEY (tenant_id, folder_id) REFERENCES folders (tenant_id, id)`;

/** The owner of the tables is no superuser, as in production. */
describe('withVisibleRows', () => {
  let client: pg.Client;
  beforeEach(async () => {
    client = new pg.Client({ connectionString: (await TestService.shared()).database.ownerUrl });
    await client.connect();
    await client.query(`
      BEGIN;
      CREATE ROLE owner_of_letters;
      GRANT CREATE ON SCHEMA public TO owner_of_letters;
      SET LOCAL ROLE owner_of_letters;
      CREATE TABLE folders (tenant_id uuid, id int, PRIMARY KEY (tenant_id, id));
      CREATE TABLE letters (tenant_id uuid, folder_id int);
      INSERT INTO folders VALUES (gen_random_uuid(), 1);
      INSERT INTO letters SELECT tenant_id, id FROM folders`);
    for (const table of ['folders', 'letters'])
      await client.query(`
        ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
        ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
        CREATE POLICY tenant_wall ON ${table} USING (${TENANT_CONDITION})`);
  });
  afterEach(async () => {
    await client.query('ROLLBACK');
    await client.end();
  });

  const withAll = (work: () => Promise<unknown>) =>
    withVisibleRows(queryOf(client), ['folders', 'letters'], work);
  const changeFolders = (to: string) => client.query(`UPDATE letters SET folder_id = ${to}`);

  it('changes rows of all tenants, which are hidden before and after', async () => {
    expect(await changeFolders('2')).toMatchObject({ rowCount: 0 });
    await withAll(async () => expect(await changeFolders('2')).toMatchObject({ rowCount: 1 }));
    expect(await changeFolders('2')).toMatchObject({ rowCount: 0 });
  });

  it('accepts a foreign key that all rows satisfy', async () => {
    await withAll(() => client.query(ADD_KEY));
  });

  it('refuses a foreign key that a row violates; PostgreSQL alone accepts it', async () => {
    await withAll(() => changeFolders('2'));
    await client.query(`SAVEPOINT before; ${ADD_KEY}; ROLLBACK TO SAVEPOINT before`);
    await expect(withAll(() => client.query(ADD_KEY))).rejects.toMatchObject({ code: '23503' });
  });
});
