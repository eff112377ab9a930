import { createHash } from 'node:crypto';
import { type Connection, type Submittable } from 'pg';
import pg from 'pg';
import { serialize } from 'pg-protocol';
import { isStalePlan, restoreNames } from '../database-problems.js';
import { type TenantContext } from './tenant-context.js';

export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
  /**
   * Plans the statement for its values each time, instead of once for all values. For searches, where the best plan
   * depends on the values.
   */
  readonly planEachTime?: boolean;
}

export type Row = Record<string, unknown>;

/** Members of pg's connection that its type declarations lack. */
interface WireConnection {
  stream: { writable: boolean; write(bytes: Buffer): void };
  sendCopyFail(message: string): void;
}

interface RowDescription {
  fields: pg.FieldDef[];
}

/**
 * Maximum number of prepared statements per connection. The service has a few hundred; the limit protects the memory of
 * database and service if a statement's text ever depends on input.
 */
const MAX_PREPARED = 1000;

const names = new Map<string, string>();

/** The same text has the same name, so each connection parses it once. */
function statementName(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `s_${createHash('sha256').update(text).digest('base64url').slice(0, 20)}`;
    if (names.size < MAX_PREPARED) names.set(text, name);
  }
  return name;
}

interface Field {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

interface Prepared {
  /** `uncertain` after an error: the server may not have parsed the statement, or may have dropped it. */
  state: 'parsed' | 'uncertain';
  /**
   * Result columns, once known. They cannot change while the statement is prepared (the server rejects the statement
   * instead), so they are requested only once.
   */
  fields: readonly Field[] | undefined;
}

/** Prepared statements by connection and name; null for a connection that uses unnamed statements only. */
const prepared = new WeakMap<object, Map<string, Prepared> | null>();

/** Makes the batches of a connection use no prepared statements. Call it before the first batch. */
export function useUnnamedStatements(client: pg.ClientBase): void {
  prepared.set((client as unknown as { connection: object }).connection, null);
}

const NO_FIELDS: readonly Field[] = [];
const DESCRIBE = serialize.describe({ type: 'P', name: '' });
const EXECUTE = serialize.execute({ portal: '' });
const SYNC = serialize.sync();

/** pg's conversion of values to the format of the protocol, which its type declarations lack. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils;

/**
 * Several statements in one round trip: Parse, Bind and Execute for each, then a single Sync. PostgreSQL runs
 * everything before a Sync as one implicit transaction, unless a statement begins or ends one itself. So
 * `set_config(…, true)` in the first statement applies to the others and ends with them, also after an error.
 *
 * Simpler solutions have one of three disadvantages: the setting remains on the pooled connection; the setting is in
 * a CTE, whose evaluation order is undefined, so that rows of another tenant are possible; or it takes four round
 * trips.
 *
 * This class uses pg's connection directly, as pg's own Query does. The version of pg is therefore pinned
 * (docs/adr/0004).
 */
export class TenantBatch implements Submittable {
  readonly rows: Row[][] = [];
  readonly done: Promise<Row[][]>;
  private resolve!: (rows: Row[][]) => void;
  private reject!: (error: Error) => void;
  /** Command tag of the last statement: `COMMIT`, or `ROLLBACK` when the COMMIT of a failed transaction was sent. */
  lastCommand = '';
  private current = 0;
  /** Size of all rows on the wire. */
  private bytesRead = 0;
  private fields: readonly Field[] = NO_FIELDS;
  private failure: Error | undefined;
  /** For each statement its prepared statement; undefined for an unnamed one. */
  private known: (Prepared | undefined)[] = [];
  private readonly parsing: { index: number; statement: Prepared }[] = [];
  private preparedHere: ReadonlyMap<string, Prepared> = new Map();

  constructor(
    readonly statements: readonly Statement[],
    private readonly types: pg.CustomTypesConfig,
    private readonly context?: Pick<TenantContext, 'countRead'>,
  ) {
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    for (let i = 0; i < statements.length; i += 1) this.rows.push([]);
  }

  submit(connection: Connection): void {
    let statements = prepared.get(connection);
    if (statements === undefined) prepared.set(connection, (statements = new Map<string, Prepared>()));
    if (statements) this.preparedHere = statements;
    const bytes: Buffer[] = [];
    try {
      for (const [index, statement] of this.statements.entries())
        this.add(statement, index, statements, bytes);
    } finally {
      bytes.push(SYNC);
      // One write, because seven small writes to the socket cost more than copying the buffers together.
      const { stream } = connection as unknown as WireConnection;
      if (stream.writable) stream.write(Buffer.concat(bytes));
    }
    this.fields = this.known[0]?.fields ?? NO_FIELDS;
  }

  private add(
    { text, values = [], planEachTime }: Statement,
    index: number,
    statements: Map<string, Prepared> | null,
    bytes: Buffer[],
  ): void {
    const named = planEachTime || statements === null ? '' : statementName(text);
    let known = statements?.get(named);
    // The unnamed statement is parsed and planned each time.
    const name = statements === null || (known === undefined && statements.size >= MAX_PREPARED) ? '' : named;
    if (statements === null || name === '') {
      known = undefined;
      bytes.push(serialize.parse({ text, name }));
    } else if (known?.state !== 'parsed') {
      // Parsing a name that already exists is an error. Closing a name that does not exist is not.
      if (known) bytes.push(serialize.close({ type: 'S', name }));
      bytes.push(serialize.parse({ text, name }));
      known = { state: 'parsed', fields: undefined };
      statements.set(name, known);
      this.parsing.push({ index, statement: known });
    }
    bytes.push(
      serialize.bind({ portal: '', statement: name, values: values as unknown[], valueMapper: prepareValue }),
    );
    if (!known?.fields) bytes.push(DESCRIBE);
    bytes.push(EXECUTE);
    this.known.push(known);
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.fields = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: this.types.getTypeParser(dataTypeID, 'text') as (text: string) => unknown,
    }));
  }

  handleDataRow({ length, fields: values }: { length: number; fields: (string | null)[] }): void {
    this.bytesRead += length;
    if (this.failure) return;
    const row: Row = {};
    try {
      for (let i = 0; i < values.length; i += 1) {
        const field = this.fields[i];
        const value = values[i];
        if (field) row[field.name] = value === null || value === undefined ? null : field.parse(value);
      }
    } catch (error) {
      this.failure = error as Error;
      return;
    }
    this.rows[this.current]?.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.lastCommand = text;
    this.advance();
  }

  handleEmptyQuery(): void {
    this.advance();
  }

  private advance(): void {
    const known = this.known[this.current];
    if (known) known.fields ??= this.fields;
    this.current += 1;
    this.fields = this.known[this.current]?.fields ?? NO_FIELDS;
  }

  handlePortalSuspended(): void {
    // Cannot happen: every Execute requests all rows.
  }

  handleCopyInResponse(connection: Connection): void {
    (connection as unknown as WireConnection).sendCopyFail('COPY is not part of a batch');
  }

  handleCopyData(): void {
    // Cannot happen: COPY is refused.
  }

  /** Called for the first error. The server skips the remaining statements up to the Sync. */
  handleError(error: Error): void {
    for (const { index, statement } of this.parsing) {
      if (index >= this.current) statement.state = 'uncertain';
    }
    // The cause of a stale plan (a schema change, a reset) can affect all prepared statements of the connection.
    if (isStalePlan(error)) for (const statement of this.preparedHere.values()) statement.state = 'uncertain';
    restoreNames(error);
    this.reject(error);
  }

  handleReadyForQuery(): void {
    this.context?.countRead?.(this.bytesRead);
    if (this.failure) this.reject(this.failure);
    else this.resolve(this.rows);
  }
}
