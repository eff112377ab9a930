import { readFileSync } from 'node:fs';
import pg from 'pg';
import { type CapturedRequest } from '../captured.js';

/** What a peer is told by the file that `PEER_SETTING` names. */
export interface PeerSettings {
  readonly databaseUrl: string;
  readonly poolSize: number;
  /** `date`: parsed by pg and written by toISOString. `text`: the server's text, rewritten without parsing. */
  readonly timestamps: 'date' | 'text';
  readonly tenants: Readonly<Record<string, string>>;
  readonly userId: string;
  /** Requests that are answered with the statements which the service itself was seen to send for them. */
  readonly captured: readonly CapturedRequest[];
  /** The tenant of those; the views that searches read through want it set. */
  readonly capturedTenant: string;
}

export function readSettings(): PeerSettings {
  return JSON.parse(readFileSync(process.env.PEER_SETTING ?? '', 'utf8')) as PeerSettings;
}

/** What the client is shown of a file, in its order. */
export const FILE_COLUMNS = `f.id, f.file_type_id AS "fileTypeId", f.number, f.name, f.status,
  f.created_at AS "createdAt", f.updated_at AS "updatedAt", f.closed_at AS "closedAt"`;

export const LIST_FILES = `SELECT ${FILE_COLUMNS} FROM files f WHERE f.tenant_id = $1
  ORDER BY f.created_at DESC, f.id DESC LIMIT $2`;

export const GET_FILE = `SELECT ${FILE_COLUMNS} FROM files f WHERE f.tenant_id = $1 AND f.id = $2`;

export const CREATE_FILE = `INSERT INTO files AS f
    (tenant_id, id, file_type_id, number, number_key, name, search_text, search_starts, created_by)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${FILE_COLUMNS}`;

/** PostgreSQL's text of a timestamptz(3) in UTC as clients get it. */
function isoFromText(text: string): string {
  const day = text.slice(0, 10);
  const time = text.slice(11, text.length - 3);
  return time.length === 12
    ? `${day}T${time}Z`
    : `${day}T${`${time}${time.length === 8 ? '.' : ''}`.padEnd(12, '0')}Z`;
}

export function openPool({ databaseUrl, poolSize, timestamps }: PeerSettings, tenantId?: string): pg.Pool {
  if (timestamps === 'text') pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, isoFromText);
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  const tenant = tenantId === undefined ? '' : ` -c app.tenant_id=${tenantId}`;
  return new pg.Pool({ connectionString: databaseUrl, max: poolSize, options: `-c TimeZone=UTC${tenant}` });
}

/** The members of the last row that a cursor holds, behind sixteen bytes where the service has a signature. */
export function cursorAfter(time: Date | string, id: string): string {
  const position = JSON.stringify([typeof time === 'string' ? time : time.toISOString(), id]);
  return Buffer.concat([Buffer.alloc(16), Buffer.from(position)]).toString('base64url');
}
