/**
 * The reference server: only `node:http` and `pg`, without authentication, validation or tenant isolation. Its answers have
 * the same bytes as those of the service. It uses prepared statements, keep-alive and Content-Length.
 */
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { newId } from '../../src/common/identifier.js';
import { caseFold } from '../../src/common/text.js';
import {
  type DocumentView,
  type FiledDocumentRow,
} from '../../src/resources/documents/documents.repository.js';
import { presentDocument } from '../../src/resources/documents/document-response.dto.js';
import { presentFileDocument } from '../../src/resources/documents/links/file-documents.dto.js';
import { fileSearchKeys } from '../../src/resources/files/file-search.js';
import { type CapturedRequest, requestKey } from '../captured.js';
import { CREATE_FILE, GET_FILE, LIST_FILES, cursorAfter, openPool, readSettings } from './settings.js';

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
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

function page<R>(rows: readonly R[], time: (row: R) => Date | string, id: (row: R) => string) {
  const items = rows.length > LIMIT ? rows.slice(0, LIMIT) : rows;
  const last = items.at(-1);
  return { items, nextCursor: rows.length > LIMIT && last ? cursorAfter(time(last), id(last)) : null };
}

async function listFiles(tenantId: string, response: ServerResponse): Promise<void> {
  const { rows } = await pool.query<FileRow>({
    name: 'list',
    text: LIST_FILES,
    values: [tenantId, LIMIT + 1],
  });
  const file = page(
    rows,
    ({ createdAt }) => createdAt,
    ({ id }) => id,
  );
  answer(response, 200, file);
}

async function getFile(tenantId: string, id: string, response: ServerResponse): Promise<void> {
  const { rows } = await pool.query<FileRow>({ name: 'get', text: GET_FILE, values: [tenantId, id] });
  answer(response, rows[0] ? 200 : 404, rows[0] ?? {});
}

async function createFile(tenantId: string, body: string, response: ServerResponse): Promise<void> {
  const { fileTypeId, number, name } = JSON.parse(body) as {
    fileTypeId: string;
    number: string;
    name: string;
  };
  const { searchText, searchStarts } = fileSearchKeys(number, name);
  const values = [
    tenantId,
    newId(),
    fileTypeId,
    number,
    caseFold(number),
    name,
    searchText,
    searchStarts,
    settings.userId,
  ];
  const { rows } = await pool.query<FileRow>({ name: 'create', text: CREATE_FILE, values });
  answer(response, 201, rows[0]);
}

async function replay({ statements, operation }: CapturedRequest, response: ServerResponse): Promise<void> {
  let rows: unknown[] = [];
  for (const { name, text, values } of statements) {
    ({ rows } = await capturedPool.query({ ...(name !== null && { name }), text, values: [...values] }));
  }
  if (operation === 'ListFileDocuments') {
    const { items, nextCursor } = page(
      rows as FiledDocumentRow[],
      (row) => row.filedAt,
      (row) => row.documentId,
    );
    answer(response, 200, { items: items.map(presentFileDocument), nextCursor });
  } else {
    const { items, nextCursor } = page(
      rows as DocumentView[],
      (row) => row.createdAt,
      (row) => row.id,
    );
    answer(response, 200, { items: items.map(presentDocument), nextCursor });
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** `/api/v1/t/<slug>/files…` */
async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url: path = '' } = request;
  const isPost = method === 'POST';
  const body = isPost ? await textOf(request) : undefined;
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
