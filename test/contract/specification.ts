import { readFileSync } from 'node:fs';
import { type AnySchema, type Schemas } from './schema-shape.js';

export interface SpecifiedOperation {
  readonly operation: string;
  readonly method: 'get' | 'put' | 'post' | 'delete';
  readonly path: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: AnySchema;
  }[];
  readonly body?: AnySchema;
  /** The responses by status; null for a response without a body. */
  readonly responses: Readonly<
    Record<string, { readonly mediaType: string; readonly schema: AnySchema } | null>
  >;
}

/** An operation in the file, without what all operations have in common. */
interface ShortOperation extends Pick<SpecifiedOperation, 'operation' | 'method' | 'path' | 'body'> {
  /** The query parameters, which are all optional. */
  readonly query?: Schemas;
  readonly success: number;
  /** The body of a successful response. */
  readonly answer?: AnySchema;
  readonly problems: readonly number[];
}

const FILE = JSON.parse(readFileSync(new URL('specified-operations.json', import.meta.url), 'utf8')) as {
  readonly operations: readonly ShortOperation[];
  readonly schemas: Schemas;
};

function problem(status: number): { mediaType: string; schema: AnySchema } {
  const name = status === 400 ? 'ValidationProblemDetails' : 'ProblemDetails';
  return { mediaType: 'application/problem+json', schema: { $ref: `#/components/schemas/${name}` } };
}

function specified({ query = {}, success, answer, problems, ...rest }: ShortOperation): SpecifiedOperation {
  const inPath = [...rest.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    ...{ name, in: 'path', required: true },
    schema: { type: 'string', ...(name !== 'tenant' && { format: 'uuid' }) },
  }));
  const inQuery = Object.entries(query).map(([name, schema]) => ({
    ...{ name, in: 'query', required: false },
    schema,
  }));
  return {
    ...rest,
    parameters: [...inPath, ...inQuery],
    responses: {
      [success]: answer ? { mediaType: 'application/json', schema: answer } : null,
      ...Object.fromEntries(problems.map((status) => [status, problem(status)])),
    },
  };
}

/** The 21 operations of the interface specification. */
export const SPECIFICATION: {
  readonly operations: readonly SpecifiedOperation[];
  readonly schemas: Schemas;
} = { operations: FILE.operations.map(specified), schemas: FILE.schemas };

const TENANT = '/api/v1/t/{tenant}';

function below(path: string, ...methods: string[]): string[] {
  return methods.map((method) => `${method} ${TENANT}${path}`);
}

/** The operations that the service adds, as method and path. The names of path parameters are left out. */
export const ADDITIONS: readonly string[] = [
  ...below('/audit-log/checkpoint', 'get'),
  ...below('/audit-log/checkpoints', 'get'),
  ...below('/audit-log/keys', 'get'),
  ...below('/audit-log/export', 'get'),
  ...below('/audit-log/entries/{}/proof', 'get'),
  ...below('/audit-log/consistency', 'get'),
  ...below('/files/{}', 'get', 'delete'),
  ...below('/files/{}/access', 'get'),
  ...below('/files/{}/close', 'post'),
  ...below('/files/{}/retention', 'get'),
  ...below('/files/{}/reopen', 'post'),
  ...below('/file-types', 'get', 'post'),
  ...below('/file-types/{}', 'get'),
  ...below('/file-types/{}/numbering', 'get', 'put'),
  ...below('/file-types/{}/next-number', 'get'),
  ...below('/file-types/{}/retention', 'get', 'put'),
  ...below('/file-types/{}/files', 'post'),
  ...below('/document-types', 'get', 'post'),
  ...below('/document-types/{}', 'get'),
  ...below('/document-types/{}/deactivate', 'post'),
  ...below('/tags', 'get'),
  ...below('/tags/{}', 'get', 'put', 'delete'),
  ...below('/saved-views/{}', 'get', 'delete'),
  ...below('/roles', 'get', 'post'),
  ...below('/roles/{}', 'get'),
  ...below('/permissions', 'get'),
  ...below('/members', 'get', 'post'),
  ...below('/members/{}', 'get', 'put', 'delete'),
  ...below('/members/{}/access', 'get'),
  ...below('/users', 'get'),
  ...below('/invitations', 'get', 'post'),
  ...below('/invitations/{}', 'get'),
  ...below('/invitations/accept', 'post'),
  ...below('/invitations/decline', 'post'),
  ...below('/access-grants', 'get', 'post'),
  ...below('/access-grants/{}', 'get'),
  ...below('/documents', 'get', 'post'),
  ...below('/documents/search', 'post'),
  ...below('/documents/bulk', 'post'),
  ...below('/documents/suggestions', 'get'),
  ...below('/documents/{}', 'get', 'put', 'delete'),
  ...below('/documents/{}/move', 'post'),
  ...below('/documents/{}/access', 'get'),
  ...below('/documents/{}/archive', 'post'),
  ...below('/documents/{}/retention', 'get'),
  ...below('/documents/{}/unarchive', 'post'),
  ...below('/documents/{}/restore', 'post'),
  ...below('/documents/{}/content', 'get', 'put'),
  ...below('/documents/{}/content-links', 'post'),
  ...below('/documents/{}/text', 'get'),
  ...below('/documents/{}/preview', 'get'),
  ...below('/documents/{}/reprocess', 'post'),
  ...below('/documents/{}/versions', 'get'),
  ...below('/documents/{}/versions/{}/content', 'get'),
  ...below('/documents/{}/versions/{}/restore', 'post'),
  ...below('/documents/{}/files/{}', 'put'),
  ...below('/documents/{}/tags/{}', 'put', 'delete'),
  ...below('/documents/{}/confidentiality', 'put'),
  ...below('/documents/{}/confidential-access', 'get'),
  ...below('/documents/{}/confidential-access/{}', 'delete'),
  ...below('/confidential-documents', 'get'),
  ...below('/holds', 'get', 'post'),
  ...below('/holds/{}', 'get', 'put'),
  ...below('/holds/{}/release', 'post'),
  ...below('/holds/{}/items', 'get', 'post'),
  ...below('/holds/{}/files/{}', 'put', 'delete'),
  ...below('/holds/{}/documents/{}', 'put', 'delete'),
  ...below('/disposals', 'get', 'post'),
  ...below('/disposals/{}', 'get', 'put', 'delete'),
  ...below('/disposals/{}/files', 'get'),
  ...below('/disposals/{}/files/{}', 'put', 'delete'),
  ...below('/disposals/{}/submit', 'post'),
  ...below('/disposals/{}/approve', 'post'),
  ...below('/disposals/{}/reject', 'post'),
  ...below('/disposals/{}/certificate', 'get'),
  ...below('/events', 'get'),
  ...below('/events/stream', 'get'),
  ...below('/notifications/{}/read', 'post'),
  ...below('/notifications/read-all', 'post'),
  ...below('/notification-preferences', 'get', 'put'),
  ...below('/notifications/stream', 'get'),
  ...below('/webhooks', 'get', 'post'),
  ...below('/webhooks/{}', 'get', 'put', 'delete'),
  ...below('/webhooks/{}/enable', 'post'),
  ...below('/webhooks/{}/rotate-secret', 'post'),
  ...below('/webhooks/{}/test', 'post'),
  ...below('/webhooks/{}/deliveries', 'get'),
  ...below('/webhooks/{}/deliveries/{}/redeliver', 'post'),
  ...below('/exports', 'get', 'post'),
  ...below('/exports/{}', 'get', 'delete'),
  ...below('/exports/{}/content', 'get'),
  'get /api/v1/tenants',
  'get /',
  'get /livez',
  'get /readyz',
  'get /openapi.json',
  'get /problems',
  'get /problems/{}',
  'get /notification-types',
];
