import { type HeadersObject, type ParameterObject } from '@nestjs/swagger';
import { type EndpointOptions } from '../http/endpoint/endpoint-options.js';
import { type ResponseHeader } from '../http/response/response-headers.js';

const text = { type: 'string' };

export function headerReferences(names: readonly ResponseHeader[]): HeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export function successHeaders(
  status: number,
  { entityTag, streams, headers = [] }: EndpointOptions,
  method: string,
): ResponseHeader[] {
  const names: ResponseHeader[] = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'];
  if (status === 201 || status === 202) names.push('Location');
  if ((entityTag && method !== 'DELETE') || streams) names.push('ETag');
  if (status === 200) names.push(...headers);
  if (streams && (status === 200 || status === 206)) names.push('Accept-Ranges', 'Content-Disposition');
  if (streams && status === 206) names.push('Content-Range');
  return names;
}

export function problemHeaders(status: number): ResponseHeader[] {
  const names: ResponseHeader[] = ['X-Request-Id', 'Content-Language'];
  // Before authentication, no rate limit of a caller applies.
  if (status !== 401 && status !== 431) names.push('RateLimit-Policy', 'RateLimit');
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 429 || status === 503) names.push('Retry-After');
  if (status === 416) names.push('Content-Range');
  return names;
}

/** Optional request header fields of an operation. They have no examples, because Swagger UI would send these. */
export function requestHeaders(
  { entityTag, streams, eventStream, contentBody, idempotent }: EndpointOptions,
  method: string,
): ParameterObject[] {
  const parameters: ParameterObject[] = [];
  const add = (name: string, description: string, schema: ParameterObject['schema'] = text) =>
    parameters.push({ name, in: 'header', required: false, description, schema });
  if (entityTag && (method === 'PUT' || method === 'DELETE')) {
    add('If-Match', 'Changes the resource only if it still has this entity tag; otherwise 412');
    add(
      'If-None-Match',
      'Changes the resource only if it has another entity tag; `*`: only if it does not exist; otherwise 412',
    );
  }
  if (streams) add('If-Match', 'Returns the content only if it still has this entity tag; otherwise 412');
  if ((entityTag && method === 'GET') || streams) {
    add('If-None-Match', 'Returns the resource only if its entity tag is a different one; otherwise 304');
  }
  if (contentBody) {
    add(
      'Content-Disposition',
      "File name if the body is the content itself: `attachment; filename*=UTF-8''Pr%C3%BCfung.pdf`. Without it, the file name does not change.",
    );
  }
  if (streams) {
    add('Range', 'Requested range of the content: `bytes=0-1023`');
    add(
      'If-Range',
      'Returns the range only if the content still has this entity tag; otherwise the whole content',
    );
  }
  if (eventStream === 'resumable') {
    add(
      'Last-Event-ID',
      'Sequence of the last event that the client has; takes precedence over `after`. Clients for Server-Sent Events send it when they connect again.',
    );
  }
  if (idempotent) {
    add(
      'Idempotency-Key',
      'A key chosen by the client. For 24 hours, a repeated request with this key is not executed again and gets the first response. A different request with this key is rejected.',
      { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    );
  }
  return parameters;
}
