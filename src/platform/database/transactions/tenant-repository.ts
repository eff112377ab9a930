import { type DataSource, type EntityMetadata, type EntityTarget, type ObjectLiteral } from 'typeorm';
import { notFound } from '../../../common/problem.js';
import { type TenantTransaction } from './tenant-transaction.js';

interface TenantEntity extends ObjectLiteral {
  tenantId: string;
  id: string;
}

interface Column {
  readonly property: string;
  readonly name: string;
  readonly isJson: boolean;
}

/**
 * Reads and writes rows of one tenant table by id. The columns come from the TypeORM entity; the SQL is written here,
 * because TypeORM's query building costs more time (docs/adr/0005). Each statement names the tenant in addition to row
 * level security, so that one of the two is enough, and so that a sharded database can route by it.
 */
export class TenantRepository<E extends TenantEntity> {
  protected readonly table: string;
  private readonly columns: readonly Column[];

  constructor(dataSource: DataSource, entity: EntityTarget<E>) {
    const metadata: EntityMetadata = dataSource.getMetadata(entity);
    this.table = metadata.tableName;
    this.columns = metadata.columns.map((column) => ({
      property: column.propertyName,
      name: column.databaseName,
      isJson: column.type === 'jsonb',
    }));
  }

  /** Select list of the given properties, by default of all: `f.file_type_id AS "fileTypeId", …`. */
  protected select(alias: string, properties?: readonly (keyof E & string)[]): string {
    return this.columns
      .filter(({ property }) => !properties || (properties as readonly string[]).includes(property))
      .map(({ property, name }) => `${alias}.${name} AS "${property}"`)
      .join(', ');
  }

  async find(tx: TenantTransaction, id: string): Promise<E | null> {
    const [row] = await tx.query<E>(
      `SELECT ${this.select('t')} FROM ${this.table} t WHERE t.tenant_id = $1 AND t.id = $2`,
      [tx.tenantId, id],
    );
    return row ?? null;
  }

  /** Reads the row and locks it until the commit. Throws the 404 when there is none. */
  async lock(tx: TenantTransaction, id: string): Promise<E> {
    const [row] = await tx.query<E>(
      `SELECT ${this.select('t')} FROM ${this.table} t WHERE t.tenant_id = $1 AND t.id = $2 FOR NO KEY UPDATE`,
      [tx.tenantId, id],
    );
    if (!row) throw notFound();
    return row;
  }

  async insert(tx: TenantTransaction, values: Partial<Omit<E, 'tenantId'>> & { id: string }): Promise<E> {
    const columnValues = this.given({ ...values, tenantId: tx.tenantId });
    const [row] = await tx.query<E>(
      `INSERT INTO ${this.table} AS t (${columnValues.map(({ column }) => column.name).join(', ')})
       VALUES (${columnValues.map((_, index) => `$${index + 1}`).join(', ')})
       RETURNING ${this.select('t')}`,
      columnValues.map(({ value }) => value),
    );
    return row as E;
  }

  /** Throws the 404 when there is no row with this id. */
  async update(tx: TenantTransaction, id: string, changes: Partial<Omit<E, 'tenantId' | 'id'>>): Promise<E> {
    const given = this.given(changes);
    const assignments = given.map(({ column }, index) => `${column.name} = $${index + 3}`);
    if (this.columns.some(({ name }) => name === 'updated_at')) assignments.push('updated_at = now()');
    const [row] = await tx.query<E>(
      `UPDATE ${this.table} t SET ${assignments.join(', ')} WHERE t.tenant_id = $1 AND t.id = $2
       RETURNING ${this.select('t')}`,
      [tx.tenantId, id, ...given.map(({ value }) => value)],
    );
    if (!row) throw notFound();
    return row;
  }

  async delete(tx: TenantTransaction, id: string): Promise<void> {
    const rows = await tx.query(`DELETE FROM ${this.table} WHERE tenant_id = $1 AND id = $2 RETURNING id`, [
      tx.tenantId,
      id,
    ]);
    if (rows.length === 0) throw notFound();
  }

  private given(values: object): { column: Column; value: unknown }[] {
    const byProperty = values as Record<string, unknown>;
    return this.columns
      .filter(({ property }) => byProperty[property] !== undefined)
      .map((column) => {
        const value = byProperty[column.property];
        return { column, value: column.isJson && value !== null ? JSON.stringify(value) : value };
      });
  }
}
