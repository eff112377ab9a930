/** Fastify as in its documentation: schemas for parameters and bodies, and a response schema for serialization. */
import fastify from 'fastify';
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

const LIMIT = 50;
const settings = readSettings();
const pool = openPool(settings);

const text = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const file = {
  type: 'object',
  properties: {
    ...{ id: text, fileTypeId: text, number: text, name: text, status: text },
    ...{ createdAt: time, updatedAt: time, closedAt: { ...time, nullable: true } },
  },
} as const;
const filePage = {
  type: 'object',
  properties: { items: { type: 'array', items: file }, nextCursor: { ...text, nullable: true } },
} as const;
const params = { type: 'object', properties: { tenant: text, id: text } } as const;
const body = {
  type: 'object',
  required: ['fileTypeId', 'number', 'name'],
  properties: { fileTypeId: text, number: text, name: text },
} as const;

interface Params {
  tenant: string;
  id: string;
}
interface FileRow {
  id: string;
  createdAt: Date;
}

const app = fastify({ keepAliveTimeout: 60_000 });
const tenantOf = ({ tenant }: Params) => settings.tenants[tenant] ?? '';

app.get<{ Params: Params; Querystring: { limit: number } }>(
  '/api/v1/t/:tenant/files',
  {
    schema: {
      params,
      querystring: { type: 'object', properties: { limit: { type: 'integer', default: LIMIT } } },
      response: { 200: filePage },
    },
  },
  async (request) => {
    const { limit } = request.query;
    const values = [tenantOf(request.params), limit + 1];
    const { rows } = await pool.query<FileRow>({ name: 'list', text: LIST_FILES, values });
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    return { items, nextCursor: rows.length > limit && last ? cursorAfter(last.createdAt, last.id) : null };
  },
);

app.get<{ Params: Params }>(
  '/api/v1/t/:tenant/files/:id',
  { schema: { params, response: { 200: file } } },
  async (request) => {
    const values = [tenantOf(request.params), request.params.id];
    const { rows } = await pool.query<FileRow>({ name: 'get', text: GET_FILE, values });
    return rows[0];
  },
);

app.post<{ Params: Params; Body: NewFile }>(
  '/api/v1/t/:tenant/files',
  { schema: { params, body, response: { 201: file } } },
  async (request, reply) => {
    const values = createFileValues(settings, tenantOf(request.params), request.body);
    const { rows } = await pool.query<FileRow>({ name: 'create', text: CREATE_FILE, values });
    reply.code(201);
    return rows[0];
  },
);

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
process.once('SIGTERM', () => process.exit(0));
