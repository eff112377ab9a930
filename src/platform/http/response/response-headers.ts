import { type HeaderObject } from '@nestjs/swagger';

const text = { type: 'string' };

/** Header fields of answers; responses refer to them by name. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'The id of this request, which logs and problem documents carry too',
    schema: { type: 'string', format: 'uuid' },
  },
  'RateLimit-Policy': {
    description: 'The limit in force: `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers)',
    schema: text,
    example: '"caller";q=100;w=10',
  },
  RateLimit: {
    description: 'What is left of the limit: `r` requests now, all of them again in `t` seconds',
    schema: text,
    example: '"caller";r=99;t=1',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt',
    schema: { type: 'integer', minimum: 1 },
    example: 2,
  },
  'WWW-Authenticate': {
    description: 'The challenge (RFC 6750)',
    schema: text,
    example: 'Bearer realm="filing-service"',
  },
  'Content-Language': {
    description: 'What the sentences for people are in: `en`, or `de` where `Accept-Language` prefers it',
    schema: { type: 'string', enum: ['en', 'de'] },
  },
  ETag: {
    description: 'Entity tag of the resource as it is answered; send it back in If-Match or If-None-Match',
    schema: text,
    example: '"Jc0gVdDgYV3mEMmCBQGPXw"',
  },
  Location: {
    description: 'Path of what was created',
    schema: { type: 'string', format: 'uri-reference' },
    example: '/api/v1/t/demo/files/0199f7a4-6c1e-7b52-9d2e-3f1c5a7b9d0e',
  },
  Link: {
    description: 'Where the next page is, `rel="next"` (RFC 8288); not on the last one',
    schema: text,
    example: '<https://filing.example/api/v1/t/demo/files?status=Open&cursor=pZ4>; rel="next"',
  },
  'Accept-Ranges': {
    description: 'That parts of the content can be asked for',
    schema: { type: 'string', enum: ['bytes'] },
  },
  'Content-Range': {
    description: 'Which part of the content this is, or how large the content is',
    schema: text,
    example: 'bytes 0-99/1234',
  },
  'Content-Disposition': {
    description: 'File name of the content (RFC 6266)',
    schema: text,
    example: 'attachment; filename="bescheid.pdf"',
  },
} as const satisfies Record<string, HeaderObject>;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;
