import {
  type ContentObject,
  type OpenAPIObject,
  type OperationObject,
  type ParameterObject,
  type ReferenceObject,
  type RequestBodyObject,
  type ResponseObject,
  type SchemaObject,
} from '@nestjs/swagger';
import { type EndpointOptions } from '../http/endpoint/endpoint-options.js';
import { messageText } from '../http/streams/event-stream.js';
import { exampleOf, resolve, schemaName } from './examples.js';
import { headerReferences, requestHeaders, successHeaders } from './headers.js';
import { problemCodes, problemResponse } from './problem-responses.js';

type Extended<T> = T & Record<`x-${string}`, unknown>;

interface DescribedOperation {
  readonly operation: OperationObject;
  /** In upper case. */
  readonly method: string;
  /** Path with `{name}` parameters. */
  readonly path: string;
  readonly endpoint: EndpointOptions;
}

/** Combines Nest's scan (schemas of query, body and response) with the @Endpoint declaration. */
export function describeOperation(
  described: DescribedOperation,
  document: OpenAPIObject,
): Extended<OperationObject> {
  const { operation, endpoint } = described;
  return {
    operationId: endpoint.operation,
    tags: operation.tags,
    summary: endpoint.summary,
    description: [endpoint.description, permissionText(endpoint)].filter(Boolean).join('\n\n'),
    ...(!endpoint.specified && { 'x-addition': true }),
    'x-permission': endpoint.permission,
    parameters: parametersOf(described),
    ...(endpoint.contentBody && { requestBody: CONTENT_BODY }),
    ...(endpoint.body && {
      requestBody: bodyOf(operation.requestBody as RequestBodyObject, endpoint, document),
    }),
    responses: responsesOf(described, document),
  };
}

function parametersOf({ operation, method, path, endpoint }: DescribedOperation): ParameterObject[] {
  const found = (operation.parameters ?? []) as ParameterObject[];
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return [
    ...names.map((name) => pathParameter(name)),
    ...found.filter((parameter) => parameter.in !== 'path'),
    ...requestHeaders(endpoint, method),
  ];
}

function pathParameter(name: string): ParameterObject {
  const parameter = { name, in: 'path' as const, required: true };
  if (name === 'tenant') {
    return { ...parameter, description: 'Slug of the tenant', schema: { type: 'string' }, example: 'demo' };
  }
  if (name === 'number') {
    return { ...parameter, schema: { type: 'integer', format: 'int32', minimum: 1 }, example: 1 };
  }
  return { ...parameter, schema: { type: 'string', format: 'uuid' } };
}

function bodyOf(
  found: RequestBodyObject,
  { upload }: EndpointOptions,
  document: OpenAPIObject,
): RequestBodyObject {
  const schema = found.content['application/json']?.schema ?? {};
  const json = { schema, example: exampleOf(schema, document) };
  if (!upload) return { required: true, content: { 'application/json': json } };
  // Swagger UI fills a form part only from the example of its schema.
  Object.assign(resolve(schema, document), { example: json.example });
  return {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: {
            document: schema,
            content: { type: 'string', format: 'binary', description: 'The content; must follow `document`' },
          },
          required: ['document'],
        },
        encoding: { document: { contentType: 'application/json' } },
        example: { document: json.example },
      },
      'application/json': json,
    },
  };
}

const FILE: SchemaObject = { type: 'string', format: 'binary' };

/** The form comes first, because Swagger UI then shows a file chooser by default. */
const CONTENT_BODY: RequestBodyObject = {
  required: true,
  description:
    'The content: the file part `content` of a form, or the body itself, with any media type in `Content-Type`',
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: { content: { ...FILE, description: 'The content' } },
        required: ['content'],
      },
    },
    'application/octet-stream': { schema: FILE },
    '*/*': { schema: FILE },
  },
};

function responsesOf(
  { operation, method, endpoint }: DescribedOperation,
  document: OpenAPIObject,
): Record<string, ResponseObject | ReferenceObject> {
  const { success, problems, common } = statusesOf(endpoint, method);
  const found = operation.responses[endpoint.success] as ResponseObject | undefined;
  const content = contentOf(endpoint, found, document);
  const responses: Record<string, ResponseObject | ReferenceObject> = {};
  const isPage = method === 'GET' && hasNextPage(content, document);
  for (const status of success) {
    const headers = successHeaders(status, endpoint, method);
    responses[status] = {
      description: SUCCESS_TEXT[status] ?? 'Done',
      headers: headerReferences(isPage ? [...headers, 'Link'] : headers),
      ...(content && status !== 304 && status !== 204 && { content: withExamples(content, document) }),
    };
  }
  for (const status of [...problems, ...common]) {
    responses[status] = problemResponse(status, problemCodes(status, endpoint));
  }
  return responses;
}

interface OperationStatuses {
  readonly success: readonly number[];
  /** Problem statuses of this operation. The operation's spec has a test for each of them. */
  readonly problems: readonly number[];
  /** Problem statuses of every operation. */
  readonly common: readonly number[];
}

/** All statuses of an operation: those that it declares, and those that follow from its other options. */
export function statusesOf(endpoint: EndpointOptions, method: string): OperationStatuses {
  const { body, upload, contentBody, entityTag, idempotent, streams, specified } = endpoint;
  const { permission, noAccess = 403 } = endpoint;
  const success = new Set<number>([endpoint.success]);
  const problems = new Set<number>([...endpoint.problems, 401, 429]);
  if (permission !== 'user') problems.add(noAccess);
  if (body || contentBody) for (const status of [400, 413, 415]) problems.add(status);
  if (upload || contentBody) problems.add(507);
  // For a key that was used for another request. Specified operations without a 409 answer 400 instead.
  if (idempotent && !specified) problems.add(409);
  if (entityTag && (method === 'PUT' || method === 'DELETE')) problems.add(412);
  if ((entityTag && method === 'GET') || streams) success.add(304);
  if (streams) {
    success.add(206);
    problems.add(412).add(416);
  }
  const common = streams ? [431, 500, 503] : [406, 431, 500, 503];
  return { success: [...success], problems: [...problems], common };
}

function contentOf(
  endpoint: EndpointOptions,
  found: ResponseObject | undefined,
  document: OpenAPIObject,
): ContentObject | undefined {
  const { streams, produces, eventStream, page } = endpoint;
  if (streams) return BYTES;
  if (produces) return { [produces]: { schema: produces === 'text/plain' ? TEXT : FILE } };
  if (eventStream) return eventStreamContent(endpoint, found?.content, document);
  return page ? { ...found?.content, 'text/html': { schema: PAGE } } : found?.content;
}

function hasNextPage(content: ContentObject | undefined, document: OpenAPIObject): boolean {
  const schema = resolve(content?.['application/json']?.schema ?? {}, document);
  return 'properties' in schema && 'nextCursor' in (schema.properties ?? {});
}

const SUCCESS_TEXT: Record<number, string> = {
  200: 'Done',
  201: 'Created',
  204: 'Done',
  206: 'The requested range',
  304: 'Not changed; the entity tag in `If-None-Match` is current',
};

const TEXT: SchemaObject = { type: 'string', example: 'Baugenehmigung\nAktenzeichen 12/2026' };
const PAGE: SchemaObject = { type: 'string', example: '<!doctype html>' };
const BYTES: ContentObject = { '*/*': { schema: FILE } };

export function withExamples(content: ContentObject, document: OpenAPIObject): ContentObject {
  return Object.fromEntries(
    Object.entries(content).map(([type, { schema = {} }]) => [
      type,
      { schema, ...(!isBinary(schema) && { example: exampleOf(schema, document) }) },
    ]),
  );
}

/** OpenAPI 3.1 has no keyword for the events of a stream, so the schema is that of the text. */
function eventStreamContent(
  { eventStream }: EndpointOptions,
  found: ContentObject | undefined,
  document: OpenAPIObject,
): ContentObject {
  const { schema: given = {} } = found?.['application/json'] ?? {};
  const name = '$ref' in given ? schemaName(given) : '';
  const data = exampleOf(given, document) as { readonly type: string; readonly sequence?: number };
  const id = eventStream === 'resumable' ? data.sequence : undefined;
  const schema: SchemaObject = {
    type: 'string',
    description: `Server-Sent Events. The field \`data\` of each is JSON with the schema ${name}.`,
    example: messageText(data.type, JSON.stringify(data), id),
  };
  return { 'text/event-stream': { schema } };
}

function isBinary(schema: SchemaObject | ReferenceObject): boolean {
  return 'format' in schema && schema.format === 'binary';
}

function permissionText(endpoint: EndpointOptions): string {
  const { permission, andPermission, orGrant, orListedWith, orCreatorWith } = endpoint;
  if (permission === 'user') return 'Needs a valid access token, but no membership.';
  if (permission === 'member') return 'Every member of the tenant can call this operation.';
  const alternatives = [
    typeof permission === 'string'
      ? andPermission
        ? `the permissions \`${permission}\` and \`${andPermission}\``
        : `the permission \`${permission}\``
      : `one of the permissions \`${permission.join('`, `')}\`, depending on the body`,
  ];
  if (orGrant) alternatives.push(GRANT_TEXT[orGrant.on].replace('LEVEL', orGrant.level));
  if (orListedWith) alternatives.push(`\`${orListedWith}\` and an entry on the access list of the document`);
  if (orCreatorWith) alternatives.push(`\`${orCreatorWith}\` for a document that the caller created`);
  return `Needs ${alternatives.join(', or ')}.`;
}

const GRANT_TEXT = {
  any: 'any LEVEL grant',
  file: 'a LEVEL grant on the file',
  document: 'a LEVEL grant on a file that contains the document',
};
