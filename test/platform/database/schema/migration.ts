import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { type DataSource, type Migration, type ObjectLiteral } from 'typeorm';
import { newId } from '../../../../src/common/identifier.js';
import { ownerDataSource } from '../../../../src/platform/database/data-source.js';
import { type TestDatabase, createTestDatabase } from '../../../support/database.js';

/** A number of a file and its search forms. */
export interface SearchedFile {
  readonly number: string;
  readonly text: string;
  readonly starts: readonly string[];
}

/** A database of its own, in which a migration can be reverted and run again. */
export class MigratedDatabase {
  private database!: TestDatabase;
  private owner!: DataSource;

  constructor(private readonly migration: string) {}

  async create(): Promise<void> {
    this.database = await createTestDatabase();
    this.owner = await ownerDataSource(this.database.ownerUrl).initialize();
    await this.undo();
  }

  query<R extends ObjectLiteral>(sql: string, values: unknown[] = []): Promise<R[]> {
    return this.owner.query<R[]>(sql, values);
  }

  /** Inserts a user with the columns of all releases; returns the id. */
  async insertUser(): Promise<string> {
    const id = newId();
    await this.query(
      `INSERT INTO users (id, issuer, subject, name_key) VALUES ($1, 'https://issuer.example', 's', 's')`,
      [id],
    );
    return id;
  }

  /** Inserts a tenant with the columns of all releases; returns the id. */
  async insertTenant(): Promise<string> {
    const id = newId();
    await this.query(`INSERT INTO tenants (id, name) VALUES ($1, 'Tenant')`, [id]);
    return id;
  }

  /** Inserts a file of a new type, with the columns of all releases; returns the id. */
  async insertFile(tenant: string, user: string, file: SearchedFile): Promise<string> {
    const id = newId();
    const [type] = await this.query<{ id: string }>(
      `INSERT INTO file_types (tenant_id, id, key, name_de, name_en, sort_key)
       VALUES ($1, gen_random_uuid(), $2, 'x', 'x', 'x') RETURNING id`,
      [tenant, file.number],
    );
    await this.query(
      `INSERT INTO files (tenant_id, id, file_type_id, number, number_key, name, search_text, search_starts, created_by)
       VALUES ($1, $2, $3, $4, $4, 'x', $5, $6, $7)`,
      [tenant, id, type?.id, file.number, file.text, file.starts, user],
    );
    return id;
  }

  /** Reverts the migration and all later ones, with the same check as {@link migrate}. */
  async undo(): Promise<void> {
    const find = () => this.query('SELECT FROM migrations WHERE name = $1', [this.migration]);
    while ((await find()).length > 0) await this.owner.undoLastMigration({ transaction: 'each' });
    await this.expectForced();
  }

  /** Runs the migration and all later ones. Each of them must leave row-level security forced on all tables. */
  async migrate(): Promise<Migration[]> {
    const done = await this.owner.runMigrations({ transaction: 'each' });
    await this.expectForced();
    return done;
  }

  private async expectForced(): Promise<void> {
    const unforced = 'SELECT relname FROM pg_class WHERE relrowsecurity AND NOT relforcerowsecurity';
    expect(await this.query(`${unforced} AND relnamespace = 'public'::regnamespace`)).toEqual([]);
  }

  async drop(): Promise<void> {
    await this.owner.destroy();
    await this.database.drop();
  }
}

/** Defines tests of a migration, which is reverted at their begin. */
export function describeMigration(name: string, define: (database: MigratedDatabase) => void): void {
  describe(`The migration ${name}`, () => {
    const database = new MigratedDatabase(name);
    beforeAll(() => database.create());
    afterAll(() => database.drop());
    define(database);
  });
}
