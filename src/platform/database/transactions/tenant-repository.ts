import { type DataSource, type EntityTarget, type ObjectLiteral } from 'typeorm';
import { notFound, orNotFound } from '../../../common/problem.js';
import { type Position } from '../paging/cursor-codec.js';
import {
  type Changes,
  type RowOptions,
  TenantTable,
  type Where,
  conditionsOf,
  shapeOf,
} from './tenant-table.js';
import { type TenantTransaction } from './tenant-transaction.js';

interface TenantEntity extends ObjectLiteral {
  tenantId: string;
  id: string;
}

interface RepositoryOptions<E, R> extends RowOptions<E> {
  /** Order of {@link TenantRepository.listPage}: texts ascending in root collation, times descending. Default: `createdAt`. */
  readonly sortedBy?: keyof E & keyof R & string;
}

/** Reads and writes rows of one tenant table by id. */
export class TenantRepository<
  E extends TenantEntity,
  R extends { readonly id: string } = E,
> extends TenantTable<E, R> {
  private readonly sortedBy: keyof R & string;

  constructor(
    dataSource: DataSource,
    entity: EntityTarget<E>,
    { sortedBy = 'createdAt' as keyof E & keyof R & string, ...options }: RepositoryOptions<E, R> = {},
  ) {
    super(dataSource, entity, options);
    this.sortedBy = sortedBy;
  }

  /**
   * One row more than the limit when there are more.
   *
   * @param and a further condition, as SQL with names of columns
   */
  listPage(
    tx: TenantTransaction,
    after: Position | null,
    limit: number,
    where: Where<E> = {},
    and?: string,
  ): Promise<R[]> {
    const { type } = this.entities.metadata.findColumnWithPropertyName(this.sortedBy) ?? {};
    const values = { ...where, limit: limit + 1, ...(after && { key: after[0], id: after[1] }) };
    return this.run(tx, `${after ? 'list after' : 'list'} ${shapeOf(where)} ${and}`, values, () => {
      const isTime = type === 'timestamptz';
      const key = isTime ? `t.${this.sortedBy}` : `t.${this.sortedBy} COLLATE "und-x-icu"`;
      const direction = isTime ? 'DESC' : 'ASC';
      const query = this.rows().orderBy(key, direction).addOrderBy('t.id', direction);
      for (const condition of conditionsOf(where, and, 't.')) query.andWhere(condition);
      return after
        ? query.andWhere(`(${key}, t.id) ${isTime ? '<' : '>'} (:key::${String(type)}, :id::uuid)`)
        : query;
    });
  }

  /** Place of a row in the order of {@link listPage}. */
  positionOf(row: R): Position {
    return [row[this.sortedBy] as string, row.id];
  }

  async find(tx: TenantTransaction, id: string): Promise<R | null> {
    const [row] = await this.send(tx, this.selectStatement(tx, { id } as Where<E>));
    return row ?? null;
  }

  /** Throws the 404 when there is no row with this id. */
  async get(tx: TenantTransaction, id: string): Promise<R> {
    return orNotFound(await this.find(tx, id));
  }

  /** Reads the row and locks it until the commit. Throws the 404 when there is none. */
  async lock(tx: TenantTransaction, id: string): Promise<R> {
    const [row] = await this.send(tx, this.lockStatement(tx, id));
    return orNotFound(row);
  }

  protected lockStatement(tx: TenantTransaction, id: string) {
    return this.selectStatement(tx, { id } as Where<E>, { lock: 'for_no_key_update' });
  }

  async insert(tx: TenantTransaction, values: Changes<Omit<E, 'tenantId'>> & { id: string }): Promise<R> {
    const [row] = await this.send(tx, this.insertStatement(tx, values));
    return row as R;
  }

  /** Throws the 404 when there is no row with this id. */
  async update(tx: TenantTransaction, id: string, changes: Changes<Omit<E, 'tenantId' | 'id'>>): Promise<R> {
    const where = { id } as Where<E>;
    const [row] = await this.send(
      tx,
      this.updateStatement(tx, changes as Changes<E>, where, { returning: 'row' }),
    );
    return orNotFound(row);
  }

  async delete(tx: TenantTransaction, id: string): Promise<void> {
    const rows = await this.send(tx, this.deleteStatement(tx, { id } as Where<E>, { returning: 'id' }));
    if (rows.length === 0) throw notFound();
  }
}
