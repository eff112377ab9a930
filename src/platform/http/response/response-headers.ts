import { type HeaderObject } from '@nestjs/swagger';

const text = { type: 'string' };

export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'Id of the request, as in logs and problem documents',
    schema: { type: 'string', format: 'uuid' },
  },
  'RateLimit-Policy': {
    description: 'The rate limit: `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers)',
    schema: text,
    example: '"caller";q=100;w=10',
  },
  RateLimit: {
    description: 'Remaining requests: `r` now, one more in `t` seconds',
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
    description: 'Language of the texts: `en`, or `de` if `Accept-Language` prefers it',
    schema: { type: 'string', enum: ['en', 'de'] },
  },
  ETag: {
    description: 'Entity tag of the resource; send it back in `If-Match` or `If-None-Match`',
    schema: text,
    example: '"Jc0gVdDgYV3mEMmCBQGPXw"',
  },
  Location: {
    description: 'Path of the created resource',
    schema: { type: 'string', format: 'uri-reference' },
    example: '/api/v1/t/demo/files/0199f7a4-6c1e-7b52-9d2e-3f1c5a7b9d0e',
  },
  Link: {
    description: 'URL of the next page with `rel="next"` (RFC 8288); absent on the last page',
    schema: text,
    example: '<https://filing.example/api/v1/t/demo/files?status=Open&cursor=pZ4>; rel="next"',
  },
  'Accept-Ranges': {
    description: 'Byte ranges of the content can be requested',
    schema: { type: 'string', enum: ['bytes'] },
  },
  'Content-Range': {
    description: 'Range of the content in this response, and size of the content',
    schema: text,
    example: 'bytes 0-99/1234',
  },
  'Recognised-Pages': {
    description: 'Pages whose text is from character recognition (OCR), or `none`',
    schema: text,
    example: '1-3, 7',
  },
  'Content-Disposition': {
    description: 'File name of the content (RFC 6266)',
    schema: text,
    example: 'attachment; filename="bescheid.pdf"',
  },
} as const satisfies Record<string, HeaderObject>;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;
