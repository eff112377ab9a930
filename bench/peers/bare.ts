/**
 * The reference server: only `node:http` and `pg`, without authentication, validation or tenant isolation. Its answers have
 * the same bytes as those of the service. It uses prepared statements, keep-alive and Content-Length.
 */
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  type DocumentView,
  type FiledDocumentRow,
} from '../../src/resources/documents/documents.repository.js';
import { presentDocument } from '../../src/resources/documents/document-response.dto.js';
import { type CapturedRequest, requestKey } from '../captured.js';
import {
  CREATE_FILE,
  GET_FILE,
  LIST_FILES,
  type NewFile,
  createFileValues,
  cursorAfter,
  openPool,
  readSettings,
} from './settings.js';

interface FileRow {
  readonly id: string;
  readonly createdAt: Date | string;
}

const LIMIT = 50;
const settings = readSettings();
const pool = openPool(settings);
const capturedPool = openPool(settings, settings.capturedTenant);
const captured = new Map(settings.captured.map((request) => [requestKey(request), request]));

function answer(response: ServerResponse, status: number, body: unknown): void {
  const json = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(json),
  });
  response.end(json);
}

/** A page of the rows. The columns `time` and `id` are the sort key. */
function page<R extends object>(rows: readonly R[], time: keyof R, id: keyof R) {
  const items = rows.slice(0, LIMIT);
  const last = items.at(-1);
  const hasMore = rows.length > LIMIT && last !== undefined;
  return { items, nextCursor: hasMore ? cursorAfter(last[time] as Date | string, last[id] as string) : null };
}

async function listFiles(tenantId: string, response: ServerResponse): Promise<void> {
  const values = [tenantId, LIMIT + 1];
  const { rows } = await pool.query<FileRow>({ name: 'list', text: LIST_FILES, values });
  answer(response, 200, page(rows, 'createdAt', 'id'));
}

async function getFile(tenantId: string, id: string, response: ServerResponse): Promise<void> {
  const { rows } = await pool.query<FileRow>({ name: 'get', text: GET_FILE, values: [tenantId, id] });
  answer(response, rows[0] ? 200 : 404, rows[0] ?? {});
}

async function createFile(tenantId: string, body: string, response: ServerResponse): Promise<void> {
  const values = createFileValues(settings, tenantId, JSON.parse(body) as NewFile);
  const { rows } = await pool.query<FileRow>({ name: 'create', text: CREATE_FILE, values });
  answer(response, 201, rows[0]);
}

async function replay({ statements, operation }: CapturedRequest, response: ServerResponse): Promise<void> {
  let rows: unknown[] = [];
  for (const { name, text, values } of statements)
    ({ rows } = await capturedPool.query({ ...(name !== null && { name }), text, values: [...values] }));
  if (operation === 'ListFileDocuments') {
    const { items, nextCursor } = page(rows as FiledDocumentRow[], 'filedAt', 'documentId');
    answer(response, 200, { items, nextCursor });
  } else {
    const { items, nextCursor } = page(rows as DocumentView[], 'createdAt', 'id');
    answer(response, 200, { items: items.map(presentDocument), nextCursor });
  }
}

/** `/api/v1/t/<slug>/files…` */
async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url: path = '' } = request;
  const isPost = method === 'POST';
  const body = isPost ? await text(request) : undefined;
  const known =
    captured.size > 0 ? captured.get(requestKey({ method: isPost ? 'POST' : 'GET', path, body })) : undefined;
  if (known) return replay(known, response);
  const end = path.indexOf('/', 10);
  const tenantId = settings.tenants[path.slice(10, end)] ?? '';
  if (body !== undefined) return createFile(tenantId, body, response);
  const rest = path.slice(end);
  if (rest.startsWith('/files?')) return listFiles(tenantId, response);
  return getFile(tenantId, rest.slice(7), response);
}

const server = createServer((request, response) => {
  route(request, response).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    response.writeHead(500).end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
