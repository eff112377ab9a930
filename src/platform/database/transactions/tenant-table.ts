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

/** `parameters`: names of the parameters `$1`, `$2`, … */
interface BuiltStatement {
  readonly text: string;
  readonly parameters: readonly string[];
}

export interface RowOptions<E> {
  /** Properties of a row. Default: all. */
  readonly properties?: readonly (keyof E & string)[];
}

/**
 * Statements on one tenant table, built by TypeORM's query builder and run in the transaction of the tenant. Each
 * names the tenant in addition to row-level security, so that one of the two is enough, and so that a sharded
 * database can route by it. A statement is built at its first use, because building it takes 40 to 80 µs
 * (docs/adr/0005).
 *
 * @typeParam R the rows that {@link rows} selects
 */
export class TenantTable<E extends ObjectLiteral & { tenantId: string }, R extends object = E> {
  protected readonly table: string;
  protected readonly entities: Repository<E>;
  private readonly properties: RowOptions<E>['properties'];
  private readonly statements = new Map<string, BuiltStatement>();

  constructor(dataSource: DataSource, entity: EntityTarget<E>, { properties }: RowOptions<E> = {}) {
    this.entities = dataSource.getRepository(entity);
    this.table = this.entities.metadata.tableName;
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

  /** RETURNING list of a changed row. */
  protected get returning(): string {
    return this.columns(this.properties)
      .map(({ propertyName, databaseName }) => `${databaseName} AS "${propertyName}"`)
      .join(', ');
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
    const statement = this.statement(tx, name, values, build);
    return tx.query<Row>(statement.text, statement.values);
  }

  /** Like {@link run}, for a statement that runs with others in one round trip. */
  protected statement(
    tx: TenantTransaction,
    name: string,
    values: Values,
    build: () => QueryBuilder<E>,
  ): Required<Pick<Statement, 'text' | 'values'>> {
    const given: Values = { ...values, tenantId: tx.tenantId };
    let built = this.statements.get(name);
    if (!built) this.statements.set(name, (built = buildStatement(build(), Object.keys(given))));
    return { text: built.text, values: built.parameters.map((parameter) => given[parameter]) };
  }

  /**
   * Inserts a row. Members that are undefined get their default.
   *
   * @param ifAbsent changes nothing if the row exists, instead of violating a constraint
   */
  protected insertStatement(
    tx: TenantTransaction,
    values: object,
    { ifAbsent = false }: { readonly ifAbsent?: boolean } = {},
  ) {
    const given = { ...this.given(values), tenantId: tx.tenantId };
    return this.statement(tx, `insert ${Object.keys(given).join()}`, given, () => {
      const query = this.entities.createQueryBuilder().insert().values(parametersOf(given));
      return (ifAbsent ? query.orIgnore() : query).returning(this.returning);
    });
  }

  /** Updates the rows that meet the condition, and `updatedAt` if there is such a column. */
  protected updateStatement(
    tx: TenantTransaction,
    changes: object,
    condition: string,
    conditionValues: Values,
  ) {
    const given = this.given(changes);
    const hasUpdatedAt = this.entities.metadata.findColumnWithPropertyName('updatedAt') !== undefined;
    return this.statement(
      tx,
      `update ${Object.keys(given).join()} ${condition}`,
      { ...given, ...conditionValues },
      () =>
        this.entities
          .createQueryBuilder()
          .update()
          .set({ ...parametersOf(given), ...(hasUpdatedAt && { updatedAt: () => 'now()' }) })
          .where(`tenantId = :tenantId AND ${condition}`)
          .returning(this.returning),
    );
  }

  private columns(properties?: readonly string[]) {
    return this.entities.metadata.columns.filter(
      ({ propertyName }) => !properties || properties.includes(propertyName),
    );
  }

  /** The values that are not undefined, by property in the order of the columns. */
  private given(values: object): Values {
    const given: Record<string, unknown> = {};
    for (const { propertyName, type } of this.entities.metadata.columns) {
      const value = (values as Values)[propertyName];
      if (value === undefined) continue;
      given[propertyName] = type === 'jsonb' && value !== null ? JSON.stringify(value) : value;
    }
    return given;
  }
}

/** A parameter for each value, with the name of its property. */
function parametersOf(values: Values): Record<string, () => string> {
  return Object.fromEntries(Object.keys(values).map((name) => [name, () => `:${name}`]));
}

function buildStatement(query: QueryBuilder<ObjectLiteral>, names: readonly string[]): BuiltStatement {
  // With its own name as value, a parameter tells its place in the text.
  query.setParameters(Object.fromEntries(names.map((name) => [name, name])));
  const [text, parameters] = query.getQueryAndParameters() as [string, string[]];
  if (!names.includes('limit')) return { text, parameters };
  return { text: `${text} LIMIT $${parameters.length + 1}`, parameters: [...parameters, 'limit'] };
}
