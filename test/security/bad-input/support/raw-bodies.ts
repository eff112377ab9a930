import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { type Expected } from './bad-input-runner.js';
import { words } from './bad-values.js';

/** A complete request body, for any operation. */
export interface RawBody {
  readonly kind: string;
  readonly what: string;
  readonly bytes: string | Buffer;
  /** Header fields in addition to `Content-Type: application/json`, or replacing it. An empty value removes the field. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The expected response; null for a body that the operation accepts. */
  readonly expected: Expected | null;
}

const MALFORMED: Expected = { refused: 'request.malformed-body', at: '$' };
const OTHER_TYPE: Expected = { refused: 'request.unsupported-media-type' };
const TOO_LARGE: Expected = { refused: 'request.too-large' };
const MEBIBYTE = 1024 * 1024;
/** A depth that still fits into the smallest body limit of an operation. */
const DEEPEST = 600;

/** The raw bodies, as `kind: what`, that `npm test` also sends to every operation with a JSON body. */
export const BODIES_FOR_ALL_OPERATIONS: readonly string[] = [
  ...['not JSON: ""', String.raw`not JSON: "{\"a\":"`, 'not UTF-8: Latin-1', 'too deep: 33 arrays'],
  ...['null', '[]', '"text"', '1'].map((bytes) => `not an object: ${named(bytes)}`),
  'too large: one byte more than the limit',
  ...['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=iso-8859-1'].map(
    (type) => `media type: ${type}`,
  ),
];

/**
 * @param make returns another valid body for the operation at each call
 * @param notAnObject the expected response for JSON that is not an object
 * @param limit the greatest number of bytes that the operation accepts
 */
export type RawBodies = (make: () => string, notAnObject: Expected, limit: number) => RawBody[];

export const malformedBodies: RawBodies = (make, notAnObject) => {
  const text = make();
  const inside = text.slice(1, -1);
  const withBytes = (bytes: readonly number[]) =>
    Buffer.concat([Buffer.from(`{"unknown":"`), Buffer.from(bytes), Buffer.from(`",${inside}}`)]);
  return [
    ...NO_JSON.map((bytes) => rawBody('not JSON', named(bytes), bytes, MALFORMED)),
    ...[',}', '}{}', '}}', ']}', '', '} ,', '}\u0000', ',,"a":1}', '}//'].map((end) =>
      rawBody('not JSON', `ends with ${JSON.stringify(end)}`, `${text.slice(0, -1)}${end}`, MALFORMED),
    ),
    ...[...text.matchAll(/[:,{}"]/g)]
      .filter((_, index) => index % 7 === 3)
      .slice(0, 12)
      .map(({ index }) => rawBody('not JSON', `cut off after ${index}`, text.slice(0, index), MALFORMED)),
    ...INVALID_UTF8.map(([what, bytes]) => rawBody('not UTF-8', what, withBytes(bytes), MALFORMED)),
    rawBody('not UTF-8', 'UTF-16 with a mark', Buffer.from(`\ufeff${text}`, 'utf16le'), MALFORMED),
    rawBody('not UTF-8', 'UTF-16 without a mark', Buffer.from(text, 'utf16le'), MALFORMED),
    ...[33, 100, DEEPEST].flatMap((depth) => [
      rawBody('too deep', `${depth} arrays`, nested(inside, '[', ']', depth - 1), MALFORMED),
      rawBody('too deep', `${depth} objects`, nested(inside, '{"a":', '}', depth - 1, '1'), MALFORMED),
      rawBody('too deep', `${depth} arrays alone`, `${'['.repeat(depth)}${']'.repeat(depth)}`, MALFORMED),
      rawBody('too deep', `${depth} arrays without an end`, '['.repeat(depth), MALFORMED),
    ]),
    ...[...words('null [] [{}] "text" "" 1 -0 1e400 12345678901234567890 true'), `[${text}]`].map((bytes) =>
      rawBody('not an object', named(bytes), bytes, notAnObject),
    ),
  ];
};

export const tooLargeBodies: RawBodies = (make, _, limit) => {
  const text = make();
  const inside = text.slice(1, -1);
  return [
    rawBody('too large', 'one byte more than the limit', padded(inside, limit + 1), TOO_LARGE),
    rawBody('too large', 'blanks', `${' '.repeat(limit)}${text}`, TOO_LARGE),
    rawBody('too large', 'half a million arrays', nested(inside, '[', ']', MEBIBYTE / 2), TOO_LARGE),
    { ...rawBody('too large', 'chunked', padded(inside, limit + 1), TOO_LARGE), headers: CHUNKED },
  ];
};

export const unsupportedMediaTypeBodies: RawBodies = (make) => {
  const text = make();
  return [
    ...OTHER_TYPES.map((type) => typed('media type', type, text, OTHER_TYPE)),
    typed('media type', '', text, OTHER_TYPE),
    ...encodings(text).map(([encoding, bytes]) => encoded(encoding, bytes)),
    ...bombs(),
  ];
};

/** Compressed once, because compressing takes longer than sending. */
let compressedBombs: RawBody[] | undefined;

const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

function bombs(): RawBody[] {
  const blanks = Buffer.alloc(8 * MEBIBYTE, ' ');
  compressedBombs ??= [
    encoded('gzip', gzipSync(blanks), 'a bomb'),
    encoded('gzip', gzipSync(gzipSync(blanks)), 'a bomb in a bomb'),
    encoded('br', brotliCompressSync(blanks, FAST), 'another bomb'),
  ];
  return compressedBombs;
}

const CHUNKED = { 'Transfer-Encoding': 'chunked' };

export const validBodies: RawBodies = (make, _, limit) => {
  const within = (member: string) => `{${member},${make().slice(1)}`;
  return [
    rawBody('valid', 'an unknown member', within('"unknown":{"a":[1]}'), null),
    rawBody('valid', '__proto__', within(`"__proto__":{${POLLUTED}}`), null),
    rawBody('valid', '__proto__ in escapes', within(`"\\u005f_proto__":{${POLLUTED}}`), null),
    rawBody('valid', 'constructor', within(`"constructor":{"prototype":{${POLLUTED}}}`), null),
    rawBody('valid', 'prototype', within(`"prototype":{${POLLUTED}}`), null),
    rawBody(
      'valid',
      'members of objects',
      within('"toString":1,"valueOf":null,"hasOwnProperty":0,"then":"x"'),
      null,
    ),
    rawBody('valid', 'an unknown member with NUL', within('"\\u0000":"\\u0000","a\\ud800":"\\udc00"'), null),
    rawBody('valid', 'blanks', ` \r\n\t${make()}\n `, null),
    rawBody('valid', 'a byte order mark', `\ufeff${make()}`, null),
    rawBody('valid', 'of the greatest depth', nested(make().slice(1, -1), '[', ']', 31), null),
    rawBody('valid', 'of the greatest size', padded(make().slice(1, -1), limit), null),
    rawBody('valid', 'a too large number in an unknown member', within('"unknown":1e400'), null),
    { ...rawBody('valid', 'chunked', make(), null), headers: CHUNKED },
    ...[
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'application/json; charset="utf-8"',
      'APPLICATION/JSON',
      'application/json; version=1',
    ].map((type) => typed('valid', type, make(), null)),
    { ...rawBody('valid', 'no encoding', make(), null), headers: { 'Content-Encoding': 'identity' } },
  ];
};

/** A member that must not appear on other objects (prototype pollution). */
const POLLUTED = '"polluted":"yes"';

function rawBody(kind: string, what: string, bytes: string | Buffer, expected: Expected | null): RawBody {
  return { kind, what, bytes, expected };
}

function typed(kind: string, type: string, bytes: string, expected: Expected | null): RawBody {
  return { kind, what: type || 'none', bytes, headers: { 'Content-Type': type }, expected };
}

function encoded(encoding: string, bytes: Buffer, what = ''): RawBody {
  return {
    kind: 'content encoding',
    what: `${encoding} ${what}`,
    bytes,
    headers: { 'Content-Encoding': encoding },
    expected: OTHER_TYPE,
  };
}

function encodings(text: string): [string, Buffer][] {
  const bytes = Buffer.from(text);
  return [
    ['gzip', gzipSync(bytes)],
    ['x-gzip', gzipSync(bytes)],
    ['GZIP', gzipSync(bytes)],
    ['deflate', deflateSync(bytes)],
    ['deflate', deflateRawSync(bytes)],
    ['br', brotliCompressSync(bytes)],
    ['gzip, identity', gzipSync(bytes)],
    ['gzip', bytes],
    ['zstd', bytes],
    ['unknown', bytes],
  ];
}

/** The body with an unknown member of the given depth; the body itself is one level deeper. */
function nested(inside: string, open: string, close: string, depth: number, core = ''): string {
  return `{"unknown":${open.repeat(depth)}${core}${close.repeat(depth)},${inside}}`;
}

/** The body with an unknown member, of exactly that many bytes. */
function padded(inside: string, bytes: number): string {
  const empty = `{"unknown":"",${inside}}`;
  return `{"unknown":"${'x'.repeat(bytes - Buffer.byteLength(empty))}",${inside}}`;
}

function named(bytes: string): string {
  return JSON.stringify(bytes.slice(0, 40));
}

const NO_JSON = [
  ...words(String.raw`
    { } [ {"a" {"a": {"a":1 {"a":1,} {"a":1,,"b":2} {,} {a:1} {'a':1} {"a":1}} {"a":1}{"b":2} {"a"=1} {1:2}
    {null:1} {"a":1;} {"a":NaN} {"a":Infinity} {"a":-Infinity} {"a":undefined} {"a":TRUE} {"a":nul} {"a":'x'}
    {"a":01} {"a":+1} {"a":.5} {"a":5.} {"a":0x10} {"a":1e} {"a":1e+} {"a":--1} {"a":1_0}
    {"a":"\x41"} {"a":"\u12"} {"a":"\ud83"} {"a":"\ {"a":"x} #{} <a/> a=1&b=2 {"a":(1)} {"a":[1,]}
    for(;;);{} function(){} undefined NaN '{}' {"a":"b"c"} {"a":12345678901234567890e}
  `),
  ...['', ' ', '\n', '\ufeff', '{"a" 1}', '{"a":"\t"}', '{"a":"\n"}', '{"a":"\u0000"}', '// a\n{"a":1}'],
  ...['{"a":1/* b */}', 'a: 1', '\u0000', '{}\u0000', '\u00a0{}', '{}\u2028', '\u2028{}', ")]}',\n{}"],
  ...['{"a":1}\u0000\u0000', '[object Object]', '`{}`'],
];

const INVALID_UTF8: readonly (readonly [string, readonly number[]])[] = [
  ['0xFF 0xFE', [0xff, 0xfe]],
  ['Latin-1', [0x66, 0xfc, 0x72]],
  ['a continuation byte alone', [0x80]],
  ['a truncated letter', [0xe2, 0x82]],
  ['an overlong slash', [0xc0, 0xaf]],
  ['an overlong NUL', [0xc0, 0x80]],
  ['an overlong letter of three bytes', [0xe0, 0x80, 0xaf]],
  ['half a surrogate pair', [0xed, 0xa0, 0x80]],
  ['a pair as in CESU-8', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
  ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
  ['five bytes', [0xf8, 0x88, 0x80, 0x80, 0x80]],
];

const OTHER_TYPES = [
  ...words(`
    text/plain text/json text/html application/xml application/x-www-form-urlencoded application/octet-stream
    application/x-json application/jsonp application/json5 */* application/* application/vnd.api+json
    application/problem+json application/ld+json application/merge-patch+json application/json-patch+json
    application/x-ndjson json application application/json/x application/jsonx xapplication/json
  `),
  ...['iso-8859-1', 'utf-16', 'utf-7'].map((charset) => `application/json; charset=${charset}`),
  ...['application/json, text/plain', 'text/plain, application/json', 'application /json'],
  'x application/json',
];
