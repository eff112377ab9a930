import { type HeadersObject, type ParameterObject } from '@nestjs/swagger';
import { type EndpointOptions } from '../http/endpoint/endpoint.js';
import { type ResponseHeader } from '../http/response/response-headers.js';

const text = { type: 'string' };

export function headerReferences(names: readonly ResponseHeader[]): HeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The header fields of a successful response. */
export function successHeaders(
  status: number,
  { tagged, streams }: EndpointOptions,
  method: string,
): ResponseHeader[] {
  const names: ResponseHeader[] = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'];
  if (status === 201) names.push('Location');
  if ((tagged && method !== 'DELETE') || streams) names.push('ETag');
  if (streams && (status === 200 || status === 206)) names.push('Accept-Ranges', 'Content-Disposition');
  if (streams && status === 206) names.push('Content-Range');
  return names;
}

/** The header fields of a problem. */
export function problemHeaders(status: number): ResponseHeader[] {
  const names: ResponseHeader[] = ['X-Request-Id', 'Content-Language'];
  // There is no caller with a limit before authentication.
  if (status !== 401 && status !== 431) names.push('RateLimit-Policy', 'RateLimit');
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 429 || status === 503) names.push('Retry-After');
  if (status === 416) names.push('Content-Range');
  return names;
}

/**
 * Header fields that a request of the operation may carry; all of them are optional. None has an example: Swagger UI
 * would send it along.
 */
export function requestHeaders(
  { tagged, streams, contentBody, idempotent }: EndpointOptions,
  method: string,
): ParameterObject[] {
  const parameters: ParameterObject[] = [];
  const add = (name: string, description: string, schema: ParameterObject['schema'] = text) =>
    parameters.push({ name, in: 'header', required: false, description, schema });
  if (tagged && (method === 'PUT' || method === 'DELETE')) {
    add('If-Match', 'Only if the resource still has this entity tag; otherwise 412');
  }
  if (streams) add('If-Match', 'Only if the content still has this entity tag; otherwise 412');
  if ((tagged && method === 'GET') || streams) {
    add('If-None-Match', 'Only if the resource no longer has this entity tag; otherwise 304');
  }
  if (contentBody) {
    add(
      'Content-Disposition',
      "File name of a body that is the content itself: `attachment; filename*=UTF-8''Pr%C3%BCfung.pdf`; without it the former name stays",
    );
  }
  if (streams) {
    add('Range', 'One part of the content: `bytes=0-1023`');
    add('If-Range', 'The part only if the content still has this entity tag; otherwise all of it');
  }
  if (idempotent) {
    add(
      'Idempotency-Key',
      'A key of the client’s own making. For 24 hours the same request with it is carried out once and answered alike; another request with it is refused.',
      { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    );
  }
  return parameters;
}
