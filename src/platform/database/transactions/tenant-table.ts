import {
  type DataSource,
  type EntityTarget,
  type ObjectLiteral,
  type QueryBuilder,
  type Repository,
  type SelectQueryBuilder,
} from 'typeorm';
import { type Statement } from './tenant-batch.js';
import { type TenantTransaction } from './tenant-transaction.js';

type Values = Readonly<Record<string, unknown>>;

/** Values of properties that a row must have; of a list, any of them. */
export type Where<E> = { readonly [P in keyof E]?: E[P] | readonly E[P][] };

/** New values by property. A function returns an SQL expression, as in TypeORM. */
export type Changes<E> = { readonly [P in keyof E]?: E[P] | (() => string) };

/** `parameters`: the parameters `$1`, `$2`, … */
interface BuiltStatement {
  readonly text: string;
  readonly parameters: readonly { readonly name: string; readonly isJson: boolean }[];
}

type SentStatement = Required<Pick<Statement, 'text' | 'values'>>;

interface Condition {
  /** A further condition, as SQL with names of columns. */
  readonly and?: string | undefined;
  /** Further parameters. */
  readonly values?: Values;
}

interface Change<E> extends Condition {
  /** A property of the changed rows, or `row` for those of a row; nothing by default. */
  readonly returning?: (keyof E & string) | 'row';
}

interface Selection extends Condition {
  /** Ascending. */
  readonly order?: readonly string[];
  readonly lock?: 'for_no_key_update' | 'pessimistic_read' | 'pessimistic_write' | undefined;
}

const OF_TENANT = 'tenantId = :tenantId';

export interface RowOptions<E> {
  /** Properties of a row. Default: all. */
  readonly properties?: readonly (keyof E & string)[];
}

/**
 * Statements on one tenant table, built by TypeORM's query builder and run in the transaction of the tenant. Each
 * names the tenant in addition to row-level security, so that one of the two is enough, and so that a sharded
 * database can route by it. A statement is built at its first use, because building it takes 30 to 80 µs
 * (docs/adr/0005).
 *
 * @typeParam R the rows that {@link rows} selects
 */
export class TenantTable<E extends ObjectLiteral & { tenantId: string }, R extends object = E> {
  protected readonly entities: Repository<E>;
  private readonly properties: RowOptions<E>['properties'];
  private readonly statements = new Map<string, BuiltStatement>();

  constructor(dataSource: DataSource, entity: EntityTarget<E>, { properties }: RowOptions<E> = {}) {
    this.entities = dataSource.getRepository(entity);
    this.properties = properties;
  }

  /** Select list of the given properties, by default of all: `f.file_type_id AS "fileTypeId", …`. */
  protected select(alias: string, properties?: readonly (keyof E & string)[]): string {
    return this.columns(properties)
      .map(({ propertyName, databaseName }) => `${alias}.${databaseName} AS "${propertyName}"`)
      .join(', ');
  }

  /** The rows of the tenant. */
  protected rows(): SelectQueryBuilder<E> {
    const query = this.entities.createQueryBuilder('t').select([]);
    for (const { propertyName, databaseName } of this.columns(this.properties)) {
      query.addSelect(databaseName, propertyName);
    }
    return query.where('t.tenantId = :tenantId');
  }

  /**
   * Runs a statement. Its parameters are `:tenantId` and the names of `values`; `limit` is appended as LIMIT.
   *
   * @param name unique for each text: the statement is built once
   */
  protected run<Row extends object = R>(
    tx: TenantTransaction,
    name: string,
    values: Values,
    build: () => QueryBuilder<E>,
  ): Promise<Row[]> {
    return this.send(tx, this.statement(tx, name, values, build));
  }

  /** Runs one of the statements below. */
  send<Row extends object = R>(tx: TenantTransaction, { text, values }: SentStatement): Promise<Row[]> {
    return tx.query<Row>(text, values);
  }

  /** Like {@link run}, for a statement that runs with others in one round trip. */
  protected statement(
    tx: TenantTransaction,
    name: string,
    values: Values,
    build: () => QueryBuilder<E>,
  ): SentStatement {
    let built = this.statements.get(name);
    if (!built)
      this.statements.set(name, (built = this.build(build(), ['tenantId', ...Object.keys(values)])));
    const parameters = built.parameters.map((parameter) => {
      if (parameter.name === 'tenantId') return tx.tenantId;
      const value = values[parameter.name];
      return parameter.isJson && value !== null ? JSON.stringify(value) : value;
    });
    return { text: built.text, values: parameters };
  }

  private build(query: QueryBuilder<E>, names: readonly string[]): BuiltStatement {
    // With its own name as value, a parameter tells its place in the text.
    query.setParameters(Object.fromEntries(names.map((name) => [name, name])));
    const [text, found] = query.getQueryAndParameters() as [string, string[]];
    const parameters = found.map((name) => {
      const column = this.entities.metadata.findColumnWithPropertyName(name);
      return { name, isJson: column?.type === 'jsonb' };
    });
    if (!names.includes('limit')) return { text, parameters };
    const limit = { name: 'limit', isJson: false };
    return { text: `${text} LIMIT $${parameters.length + 1}`, parameters: [...parameters, limit] };
  }

  /** Selects {@link rows}, as many as the value `limit`. */
  selectStatement(
    tx: TenantTransaction,
    where: Where<E>,
    { and, values, order = [], lock }: Selection = {},
  ): SentStatement {
    const name = `select ${shapeOf(where)} ${and} ${order.join()} ${lock}`;
    return this.statement(tx, name, { ...where, ...values }, () => {
      const query = this.rows();
      for (const condition of conditionsOf(where, and, 't.')) query.andWhere(condition);
      for (const property of order) query.addOrderBy(`t.${property}`);
      return lock ? query.setLock(lock) : query;
    });
  }

  /**
   * Inserts a row and returns it. Members that are undefined get their default.
   *
   * @param ifAbsent changes nothing if the row exists, instead of violating a constraint
   */
  insertStatement(
    tx: TenantTransaction,
    values: Changes<E>,
    { ifAbsent = false }: { readonly ifAbsent?: boolean } = {},
  ): SentStatement {
    return this.statement(tx, `insert ${shapeOf(values)} ${ifAbsent}`, values, () => {
      const row = { tenantId: () => ':tenantId', ...this.expressions(values) };
      const query = this.entities.createQueryBuilder().insert().values(row);
      return (ifAbsent ? query.orIgnore() : query).returning(this.returning('row'));
    });
  }

  /** Sets `updatedAt`, too, if there is such a column. */
  updateStatement<C extends Changes<E>>(
    tx: TenantTransaction,
    changes: C,
    where: Where<Omit<E, keyof C>>,
    { and, values, returning }: Change<E> = {},
  ): SentStatement {
    const name = `update ${shapeOf(changes)} ${shapeOf(where)} ${and} ${returning}`;
    return this.statement(tx, name, { ...changes, ...where, ...values }, () => {
      const hasUpdatedAt = this.columns(['updatedAt']).length > 0;
      return this.entities
        .createQueryBuilder()
        .update()
        .set({ ...this.expressions(changes), ...(hasUpdatedAt && { updatedAt: () => 'now()' }) })
        .where([OF_TENANT, ...conditionsOf(where, and)].join(' AND '))
        .returning(this.returning(returning));
    });
  }

  deleteStatement(
    tx: TenantTransaction,
    where: Where<E>,
    { and, values, returning }: Change<E> = {},
  ): SentStatement {
    const name = `delete ${shapeOf(where)} ${and} ${returning}`;
    return this.statement(tx, name, { ...where, ...values }, () =>
      this.entities
        .createQueryBuilder()
        .delete()
        .where([OF_TENANT, ...conditionsOf(where, and)].join(' AND '))
        .returning(this.returning(returning)),
    );
  }

  private returning(property: Change<E>['returning']): string {
    if (property === undefined) return '';
    if (property !== 'row') return property;
    return this.columns(this.properties)
      .map(({ propertyName, databaseName }) => `${databaseName} AS "${propertyName}"`)
      .join(', ');
  }

  private columns(properties?: readonly string[]) {
    return this.entities.metadata.columns.filter(
      ({ propertyName }) => !properties || properties.includes(propertyName),
    );
  }

  /** The SQL expression of each value that is not undefined: the given one, or a parameter with the name of its property. */
  private expressions(values: object): Record<string, () => string> {
    const expressions: Record<string, () => string> = {};
    for (const { propertyName } of this.columns()) {
      const value = (values as Values)[propertyName];
      if (value === undefined) continue;
      expressions[propertyName] =
        typeof value === 'function' ? (value as () => string) : () => `:${propertyName}`;
    }
    return expressions;
  }
}

/** Equal for values that need the same statement. */
export function shapeOf(values: object): string {
  let shape = '';
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'function') shape += `${name}=${(value as () => string)()},`;
    else shape += value === undefined ? `${name}?,` : Array.isArray(value) ? `${name}[],` : `${name},`;
  }
  return shape;
}

export function conditionsOf(where: object, and: string | undefined, alias = ''): string[] {
  const equal = Object.entries(where).map(
    ([name, value]) => `${alias}${name} = ${Array.isArray(value) ? `ANY (:${name})` : `:${name}`}`,
  );
  return and ? [...equal, and] : equal;
}
