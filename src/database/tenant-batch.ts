import { createHash } from 'node:crypto';
import { type Connection, type Submittable } from 'pg';
import pg from 'pg';

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

/** What pg's own Query uses of the connection; its typings name only part of it. */
interface WireConnection {
  stream: { cork?: () => void; uncork?: () => void };
  parse(query: { text: string; name: string }): void;
  bind(config: {
    portal: string;
    statement: string;
    values: unknown[];
    valueMapper: (value: unknown) => unknown;
  }): void;
  describe(target: { type: 'P'; name: string }): void;
  execute(config: { portal: string; rows?: number }): void;
  close(target: { type: 'S'; name: string }): void;
  sync(): void;
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

/** What is known of each statement name on a connection; after an error that can be unknown. */
const prepared = new WeakMap<object, Map<string, 'parsed' | 'uncertain'>>();

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
  private fields: { name: string; parse: (text: string) => unknown }[] = [];
  private failure: Error | undefined;
  private readonly parsing: { index: number; name: string }[] = [];

  constructor(
    private readonly statements: readonly Statement[],
    private readonly types: pg.CustomTypesConfig,
  ) {
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    for (let i = 0; i < statements.length; i += 1) this.rows.push([]);
  }

  submit(connection: Connection): void {
    const wire = connection as unknown as WireConnection;
    let known = prepared.get(connection);
    if (!known) prepared.set(connection, (known = new Map<string, 'parsed' | 'uncertain'>()));
    wire.stream.cork?.();
    try {
      for (const [index, { text, values = [], planEachTime }] of this.statements.entries()) {
        const named = planEachTime ? '' : statementName(text);
        const state = known.get(named);
        // The unnamed statement is parsed and planned anew each time.
        const name = state === undefined && known.size >= MAX_PREPARED ? '' : named;
        if (name === '') {
          wire.parse({ text, name });
        } else if (state !== 'parsed') {
          // Closing a name that does not exist is no error; parsing one that does would be.
          if (state === 'uncertain') wire.close({ type: 'S', name });
          wire.parse({ text, name });
          known.set(name, 'parsed');
          this.parsing.push({ index, name });
        }
        wire.bind({ portal: '', statement: name, values: values as unknown[], valueMapper: prepareValue });
        wire.describe({ type: 'P', name: '' });
        wire.execute({ portal: '' });
      }
    } finally {
      wire.sync();
      wire.stream.uncork?.();
    }
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
    this.current += 1;
  }

  handleEmptyQuery(): void {
    this.current += 1;
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
  handleError(error: Error, connection: Connection): void {
    const known = prepared.get(connection);
    for (const { index, name } of this.parsing) {
      if (index >= this.current) known?.set(name, 'uncertain');
    }
    this.reject(error);
  }

  handleReadyForQuery(): void {
    if (this.failure) this.reject(this.failure);
    else this.resolve(this.rows);
  }
}
