import { type DataSource } from 'typeorm';
import { newId } from '../../../../src/common/identifier.js';
import { ownerDataSource } from '../../../../src/platform/database/data-source.js';
import { type TestDatabase, createTestDatabase } from '../../../support/database.js';

/** A separate migrated database, to revert one migration and run it again. */
export class MigratedDatabase {
  private constructor(
    private readonly database: TestDatabase,
    readonly owner: DataSource,
  ) {}

  static async create(): Promise<MigratedDatabase> {
    const database = await createTestDatabase();
    return new MigratedDatabase(database, await ownerDataSource(database.ownerUrl).initialize());
  }

  /** Inserts a user with the columns of all releases; returns the id. */
  async insertUser(): Promise<string> {
    const id = newId();
    await this.owner.query(
      `INSERT INTO users (id, issuer, subject, name_key) VALUES ($1, 'https://issuer.example', 's', 's')`,
      [id],
    );
    return id;
  }

  /** Inserts a tenant with the columns of all releases; returns the id. */
  async insertTenant(): Promise<string> {
    const id = newId();
    await this.owner.query(`INSERT INTO tenants (id, name) VALUES ($1, 'Tenant')`, [id]);
    return id;
  }

  /** Reverts the migration and all later ones. */
  async undo(migration: string): Promise<void> {
    const find = () => this.owner.query<object[]>('SELECT FROM migrations WHERE name = $1', [migration]);
    while ((await find()).length > 0) await this.owner.undoLastMigration({ transaction: 'each' });
  }

  async drop(): Promise<void> {
    await this.owner.destroy();
    await this.database.drop();
  }
}
