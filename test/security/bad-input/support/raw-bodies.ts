import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { type Expected } from './bad-input-runner.js';

/** A whole body that is sent as it is, whatever the operation. */
export interface RawBody {
  readonly kind: string;
  readonly what: string;
  readonly bytes: string | Buffer;
  /** Besides, or instead of, `Content-Type: application/json`; an empty one is left out. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Null: it is the body that the operation takes, said in another way. */
  readonly expected: Expected | null;
}

const NOT_JSON: Expected = { refused: 'request.malformed-body', at: '$' };
const OTHER_TYPE: Expected = { refused: 'request.unsupported-media-type' };
const TOO_LARGE: Expected = { refused: 'request.too-large' };
const MEBIBYTE = 1024 * 1024;
/** Nested objects so deep fit in the smallest body that an operation takes. */
const DEEPEST = 600;

/** `kind: what` of the forms that `npm test`, too, sends to every operation with a JSON body. */
export const BODIES_FOR_ALL_OPERATIONS: readonly string[] = [
  ...['no JSON: ""', String.raw`no JSON: "{\"a\":"`, 'not UTF-8: Latin-1', 'too deep: 33 arrays'],
  ...['null', '[]', '"text"', '1'].map((bytes) => `no object: ${named(bytes)}`),
  'too large: a byte more than may be',
  ...['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=iso-8859-1'].map(
    (type) => `media type: ${type}`,
  ),
];

/**
 * @param make another body that the operation takes, each time
 * @param noObject expected for JSON that is no object
 * @param limit most bytes that the operation takes
 */
export type RawBodies = (make: () => string, noObject: Expected, limit: number) => RawBody[];

export const malformedBodies: RawBodies = (make, noObject) => {
  const text = make();
  const inside = text.slice(1, -1);
  const withBytes = (bytes: readonly number[]) =>
    Buffer.concat([Buffer.from(`{"unknown":"`), Buffer.from(bytes), Buffer.from(`",${inside}}`)]);
  return [
    ...NO_JSON.map((bytes) => form('no JSON', named(bytes), bytes, NOT_JSON)),
    ...[',}', '}{}', '}}', ']}', '', '} ,', '}\u0000', ',,"a":1}', '}//'].map((end) =>
      form('no JSON', `ends with ${JSON.stringify(end)}`, `${text.slice(0, -1)}${end}`, NOT_JSON),
    ),
    ...[...text.matchAll(/[:,{}"]/g)]
      .filter((_, index) => index % 7 === 3)
      .slice(0, 12)
      .map(({ index }) => form('no JSON', `cut off after ${index}`, text.slice(0, index), NOT_JSON)),
    ...INVALID_UTF8.map(([what, bytes]) => form('not UTF-8', what, withBytes(bytes), NOT_JSON)),
    form('not UTF-8', 'UTF-16 with a mark', Buffer.from(`\ufeff${text}`, 'utf16le'), NOT_JSON),
    form('not UTF-8', 'UTF-16 without a mark', Buffer.from(text, 'utf16le'), NOT_JSON),
    ...[33, 100, DEEPEST].flatMap((depth) => [
      form('too deep', `${depth} arrays`, nested(inside, '[', ']', depth - 1), NOT_JSON),
      form('too deep', `${depth} objects`, nested(inside, '{"a":', '}', depth - 1, '1'), NOT_JSON),
      form('too deep', `${depth} arrays alone`, `${'['.repeat(depth)}${']'.repeat(depth)}`, NOT_JSON),
      form('too deep', `${depth} arrays without an end`, '['.repeat(depth), NOT_JSON),
    ]),
    ...[
      'null',
      '[]',
      '[{}]',
      `[${text}]`,
      '"text"',
      '""',
      '1',
      '-0',
      '1e400',
      '12345678901234567890',
      'true',
    ].map((bytes) => form('no object', named(bytes), bytes, noObject)),
  ];
};

export const tooLargeBodies: RawBodies = (make, _, limit) => {
  const text = make();
  const inside = text.slice(1, -1);
  return [
    form('too large', 'a byte more than may be', padded(inside, limit + 1), TOO_LARGE),
    form('too large', 'blanks', `${' '.repeat(limit)}${text}`, TOO_LARGE),
    form('too large', 'half a million arrays', nested(inside, '[', ']', MEBIBYTE / 2), TOO_LARGE),
    { ...form('too large', 'in pieces', padded(inside, limit + 1), TOO_LARGE), headers: IN_PIECES },
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

/** Made once: it takes longer to compress them than to send them. */
let packed: RawBody[] | undefined;

const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

function bombs(): RawBody[] {
  const blanks = Buffer.alloc(8 * MEBIBYTE, ' ');
  packed ??= [
    encoded('gzip', gzipSync(blanks), 'a bomb'),
    encoded('gzip', gzipSync(gzipSync(blanks)), 'a bomb in a bomb'),
    encoded('br', brotliCompressSync(blanks, FAST), 'another bomb'),
  ];
  return packed;
}

const IN_PIECES = { 'Transfer-Encoding': 'chunked' };

export const validBodies: RawBodies = (make, _, limit) => {
  const within = (member: string) => `{${member},${make().slice(1)}`;
  return [
    form('fine', 'a member that nobody knows', within('"unknown":{"a":[1]}'), null),
    form('fine', '__proto__', within(`"__proto__":{${POLLUTED}}`), null),
    form('fine', '__proto__ in escapes', within(`"\\u005f_proto__":{${POLLUTED}}`), null),
    form('fine', 'constructor', within(`"constructor":{"prototype":{${POLLUTED}}}`), null),
    form('fine', 'prototype', within(`"prototype":{${POLLUTED}}`), null),
    form(
      'fine',
      'members of objects',
      within('"toString":1,"valueOf":null,"hasOwnProperty":0,"then":"x"'),
      null,
    ),
    form('fine', 'an unknown member with NUL', within('"\\u0000":"\\u0000","a\\ud800":"\\udc00"'), null),
    form('fine', 'blanks', ` \r\n\t${make()}\n `, null),
    form('fine', 'a byte order mark', `\ufeff${make()}`, null),
    form('fine', 'as deep as may be', nested(make().slice(1, -1), '[', ']', 31), null),
    form('fine', 'as large as may be', padded(make().slice(1, -1), limit), null),
    form('fine', 'a long number that nobody asked for', within('"unknown":1e400'), null),
    { ...form('fine', 'in pieces', make(), null), headers: IN_PIECES },
    ...[
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'application/json; charset="utf-8"',
      'APPLICATION/JSON',
      'application/json; version=1',
    ].map((type) => typed('fine', type, make(), null)),
    { ...form('fine', 'no encoding', make(), null), headers: { 'Content-Encoding': 'identity' } },
  ];
};

/** What no object may have afterwards. */
const POLLUTED = '"polluted":"yes"';

function form(kind: string, what: string, bytes: string | Buffer, expected: Expected | null): RawBody {
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
    ['wonders', bytes],
  ];
}

/** The body with a member that nobody knows, so deep that the whole is one level deeper. */
function nested(inside: string, open: string, close: string, depth: number, core = ''): string {
  return `{"unknown":${open.repeat(depth)}${core}${close.repeat(depth)},${inside}}`;
}

/** The body with a member that nobody knows, of so many bytes in all. */
function padded(inside: string, bytes: number): string {
  const empty = `{"unknown":"",${inside}}`;
  return `{"unknown":"${'x'.repeat(bytes - Buffer.byteLength(empty))}",${inside}}`;
}

function named(bytes: string): string {
  return JSON.stringify(bytes.slice(0, 40));
}

const NO_JSON = [
  ...['', ' ', '\n', '\ufeff', '{', '}', '[', '{"a"', '{"a":', '{"a":1', '{"a":1,}', '{"a":1,,"b":2}', '{,}'],
  ...[
    '{a:1}',
    "{'a':1}",
    '{"a":1}}',
    '{"a":1}{"b":2}',
    '{"a" 1}',
    '{"a"=1}',
    '{1:2}',
    '{null:1}',
    '{"a":1;}',
  ],
  ...[
    '{"a":NaN}',
    '{"a":Infinity}',
    '{"a":-Infinity}',
    '{"a":undefined}',
    '{"a":TRUE}',
    '{"a":nul}',
    '{"a":\'x\'}',
  ],
  ...[
    '{"a":01}',
    '{"a":+1}',
    '{"a":.5}',
    '{"a":5.}',
    '{"a":0x10}',
    '{"a":1e}',
    '{"a":1e+}',
    '{"a":--1}',
    '{"a":1_0}',
  ],
  ...[
    '{"a":"\t"}',
    '{"a":"\n"}',
    '{"a":"\u0000"}',
    '{"a":"\\x41"}',
    '{"a":"\\u12"}',
    '{"a":"\\ud83"}',
    '{"a":"\\',
  ],
  ...[
    '{"a":"x}',
    '// a\n{"a":1}',
    '{"a":1/* b */}',
    '#{}',
    '<a/>',
    'a=1&b=2',
    'a: 1',
    '{"a":(1)}',
    '{"a":[1,]}',
  ],
  ...[
    '\u0000',
    '{}\u0000',
    '\u00a0{}',
    '{}\u2028',
    '\u2028{}',
    '{"a":1}\u0000\u0000',
    ")]}',\n{}",
    'for(;;);{}',
  ],
  ...[
    'function(){}',
    '[object Object]',
    'undefined',
    'NaN',
    '`{}`',
    "'{}'",
    '{"a":"b"c"}',
    '{"a":12345678901234567890e}',
  ],
];

const INVALID_UTF8: readonly (readonly [string, readonly number[]])[] = [
  ['0xFF 0xFE', [0xff, 0xfe]],
  ['Latin-1', [0x66, 0xfc, 0x72]],
  ['a byte that goes on with nothing', [0x80]],
  ['a letter cut off', [0xe2, 0x82]],
  ['an overlong slash', [0xc0, 0xaf]],
  ['an overlong NUL', [0xc0, 0x80]],
  ['an overlong letter of three bytes', [0xe0, 0x80, 0xaf]],
  ['half a surrogate pair', [0xed, 0xa0, 0x80]],
  ['a pair as in CESU-8', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
  ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
  ['five bytes', [0xf8, 0x88, 0x80, 0x80, 0x80]],
];

const OTHER_TYPES = [
  ...['text/plain', 'text/json', 'text/html', 'application/xml', 'application/x-www-form-urlencoded'],
  ...['application/octet-stream', 'application/x-json', 'application/jsonp', 'application/json5', '*/*'],
  ...['application/*', 'application/vnd.api+json', 'application/problem+json', 'application/ld+json'],
  ...[
    'application/merge-patch+json',
    'application/json-patch+json',
    'application/x-ndjson',
    'json',
    'application',
  ],
  ...[
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json; charset=utf-7',
  ],
  ...['application/json, text/plain', 'text/plain, application/json'],
  ...[
    'application /json',
    'application/json/x',
    'x application/json',
    'application/jsonx',
    'xapplication/json',
  ],
];
