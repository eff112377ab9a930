import { readFileSync } from 'node:fs';
import pg from 'pg';
import { newId } from '../../src/common/identifier.js';
import { caseFold } from '../../src/common/text.js';
import { fileSearchKeys } from '../../src/resources/files/file-search.js';
import { type CapturedRequest } from '../captured.js';

/** Settings of a peer, in the JSON file that the environment variable `PEER_SETTINGS` names. */
export interface PeerSettings {
  readonly databaseUrl: string;
  readonly poolSize: number;
  /** `date`: parsed by pg and written by toISOString(). `text`: the text of PostgreSQL, changed to ISO 8601 without parsing. */
  readonly timestamps: 'date' | 'text';
  readonly tenants: Readonly<Record<string, string>>;
  readonly userId: string;
  /** Requests with the captured statements of the service, which the peer repeats. */
  readonly captured: readonly CapturedRequest[];
  /** Tenant of the captured requests; the database views of searches need it as a setting. */
  readonly capturedTenant: string;
}

export function readSettings(): PeerSettings {
  return JSON.parse(readFileSync(process.env.PEER_SETTINGS ?? '', 'utf8')) as PeerSettings;
}

/** Columns of a file in the order of the answer. */
const FILE_COLUMNS = `f.id, f.file_type_id AS "fileTypeId", f.number, f.name, f.status,
  f.created_at AS "createdAt", f.updated_at AS "updatedAt", f.closed_at AS "closedAt"`;

export const LIST_FILES = `SELECT ${FILE_COLUMNS} FROM files f WHERE f.tenant_id = $1
  ORDER BY f.created_at DESC, f.id DESC LIMIT $2`;

export const GET_FILE = `SELECT ${FILE_COLUMNS} FROM files f WHERE f.tenant_id = $1 AND f.id = $2`;

export const CREATE_FILE = `INSERT INTO files AS f
    (tenant_id, id, file_type_id, number, number_key, name, search_text, search_starts, created_by)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${FILE_COLUMNS}`;

export interface NewFile {
  readonly fileTypeId: string;
  readonly number: string;
  readonly name: string;
}

/** Values of {@link CREATE_FILE}. */
export function createFileValues(
  { userId }: PeerSettings,
  tenantId: string,
  { fileTypeId, number, name }: NewFile,
): unknown[] {
  const { searchText, searchStarts } = fileSearchKeys(number, name);
  return [tenantId, newId(), fileTypeId, number, caseFold(number), name, searchText, searchStarts, userId];
}

/** Converts the PostgreSQL text of a timestamptz(3) in UTC to ISO 8601. */
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

/** A cursor with the position of the last row, after 16 zero bytes in place of the signature of the service. */
export function cursorAfter(time: Date | string, id: string): string {
  const position = JSON.stringify([typeof time === 'string' ? time : time.toISOString(), id]);
  return Buffer.concat([Buffer.alloc(16), Buffer.from(position)]).toString('base64url');
}
