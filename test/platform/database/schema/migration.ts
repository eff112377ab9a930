import { type DataSource } from 'typeorm';
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
