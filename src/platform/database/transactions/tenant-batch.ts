import { createHash } from 'node:crypto';
import { type Connection, type Submittable } from 'pg';
import pg from 'pg';
import { serialize } from 'pg-protocol';
import { isStalePlan } from '../database-problems.js';

/** One statement with its values. */
export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
  /**
   * Plans the statement for its values each time, instead of once for all: for searches, where the right plan depends
   * on what is looked for.
   */
  readonly planEachTime?: boolean;
}

export type Row = Record<string, unknown>;

/** What is used of pg's connection beyond its typings. */
interface WireConnection {
  stream: { writable: boolean; write(bytes: Buffer): void };
  sendCopyFail(message: string): void;
}

interface RowDescription {
  fields: pg.FieldDef[];
}

/**
 * Statements that are kept prepared on one connection. The service has a few hundred; were one written whose text
 * depends on what clients send, it must not fill the memory of the database, nor ours.
 */
const MAX_PREPARED = 1000;

const names = new Map<string, string>();

/** A short stable name for a prepared statement: the same text is parsed once on each connection. */
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

/** What is known of a prepared statement on one connection. */
interface Prepared {
  /** After an error it can be unknown whether the server has parsed it, or still knows it. */
  state: 'parsed' | 'uncertain';
  /**
   * Its columns, once it has been described: they stay what they are as long as it is prepared (the server refuses to
   * run it when they no longer are), so neither side has to speak of them again.
   */
  fields: readonly Field[] | undefined;
}

/** By connection and statement name. */
const prepared = new WeakMap<object, Map<string, Prepared>>();

const NO_FIELDS: readonly Field[] = [];
const DESCRIBE = serialize.describe({ type: 'P', name: '' });
const EXECUTE = serialize.execute({ portal: '' });
const SYNC = serialize.sync();

/** pg's own conversion of values to what the wire takes; its typings leave it out. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils;

/**
 * Several statements in one round trip: Parse, Bind, Execute for each, then a single Sync. PostgreSQL runs all that
 * stands before one Sync as one implicit transaction (unless a statement opens or ends one itself), so that
 * `set_config(…, true)` in the first holds for the others and is gone afterwards, also after an error.
 *
 * It prevents three failures of simpler ways: a setting that outlives its transaction on a pooled connection; rows
 * of another tenant through a CTE that sets it (evaluation order is not defined there); and four round trips.
 * It speaks to pg's connection directly, as pg's own Query does; hence pg is pinned (docs/adr/0004).
 */
export class TenantBatch implements Submittable {
  readonly rows: Row[][] = [];
  readonly done: Promise<Row[][]>;
  private resolve!: (rows: Row[][]) => void;
  private reject!: (error: Error) => void;
  /** Command tag of the last statement: `COMMIT`, or `ROLLBACK` for a COMMIT of a transaction that had failed. */
  lastCommand = '';
  private current = 0;
  /** Columns of the statement whose rows are coming in. */
  private fields: readonly Field[] = NO_FIELDS;
  private failure: Error | undefined;
  /** What is known of each statement's name; undefined for those without one. */
  private known: (Prepared | undefined)[] = [];
  private readonly parsing: { index: number; statement: Prepared }[] = [];
  /** All that the connection has prepared. */
  private preparedHere: ReadonlyMap<string, Prepared> = new Map();

  constructor(
    readonly statements: readonly Statement[],
    private readonly types: pg.CustomTypesConfig,
  ) {
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    for (let i = 0; i < statements.length; i += 1) this.rows.push([]);
  }

  submit(connection: Connection): void {
    let statements = prepared.get(connection);
    if (!statements) prepared.set(connection, (statements = new Map<string, Prepared>()));
    this.preparedHere = statements;
    const bytes: Buffer[] = [];
    try {
      for (const [index, statement] of this.statements.entries())
        this.add(statement, index, statements, bytes);
    } finally {
      bytes.push(SYNC);
      // One write: handing seven small buffers to the system costs more than putting them together.
      const { stream } = connection as unknown as WireConnection;
      if (stream.writable) stream.write(Buffer.concat(bytes));
    }
    this.fields = this.known[0]?.fields ?? NO_FIELDS;
  }

  private add(
    { text, values = [], planEachTime }: Statement,
    index: number,
    statements: Map<string, Prepared>,
    bytes: Buffer[],
  ): void {
    const named = planEachTime ? '' : statementName(text);
    let known = statements.get(named);
    // The unnamed statement is parsed and planned anew each time.
    const name = known === undefined && statements.size >= MAX_PREPARED ? '' : named;
    if (name === '') {
      known = undefined;
      bytes.push(serialize.parse({ text, name }));
    } else if (known?.state !== 'parsed') {
      // Closing a name that does not exist is no error; parsing one that does would be.
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

  handleDataRow({ fields: values }: { fields: (string | null)[] }): void {
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
    // Never asked for: every Execute asks for all rows.
  }

  handleCopyInResponse(connection: Connection): void {
    (connection as unknown as WireConnection).sendCopyFail('COPY is not part of a batch');
  }

  handleCopyData(): void {
    // Not part of a batch.
  }

  /** pg reports the first error; the server skips the rest up to the Sync. */
  handleError(error: Error): void {
    for (const { index, statement } of this.parsing) {
      if (index >= this.current) statement.state = 'uncertain';
    }
    // Whatever made the server refuse one (a change of the schema, a reset) may have met the others, too.
    if (isStalePlan(error)) for (const statement of this.preparedHere.values()) statement.state = 'uncertain';
    this.reject(error);
  }

  handleReadyForQuery(): void {
    if (this.failure) this.reject(this.failure);
    else this.resolve(this.rows);
  }
}
