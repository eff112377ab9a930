import { type ProblemCode } from '../../../../src/common/messages/problems.js';
import { type InputCase } from './bad-input-runner.js';

const MALFORMED: readonly ProblemCode[] = ['request.malformed-http'];
/** Either Node's HTTP parser or the service's body reader detects the error first. */
export const BROKEN_BODY_PROBLEMS: readonly ProblemCode[] = [
  'request.malformed-http',
  'request.malformed-body',
];
const TOO_LARGE: readonly ProblemCode[] = ['request.headers-too-large'];

/** Header fields of more than 16 KiB in total. */
export function manyHeaders(): [string, string][] {
  return Array.from({ length: 600 }, (_, index) => [`X-Many-${index}`, 'x'.repeat(30)]);
}

export function requestBytes({ method, target, headers, body = '' }: InputCase): Buffer {
  const fields = Object.entries({
    ...headers,
    Host: 'x',
    Connection: 'close',
    'Content-Length': body.length,
  });
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${head}\r\n`, 'latin1'),
    Buffer.from(body),
  ]);
}

/** Copies of the request, each with one violation of HTTP, and the problems that may be returned. */
export function malformedMessages({
  method,
  target,
  headers,
  body = '',
}: InputCase): [what: string, bytes: string | Buffer, codes: readonly ProblemCode[]][] {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `Host: x\r\nConnection: close\r\n${fields.join('')}`;
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  const line = (first: string): string => `${first}\r\n${head}${length}\r\n${body.toString()}`;
  const field = (text: string): string =>
    `${method} ${target} HTTP/1.1\r\n${text}${head}${length}\r\n${body.toString()}`;
  const sized = (size: string, sent = body): string =>
    `${method} ${target} HTTP/1.1\r\n${head}${size}\r\n${sent.toString()}`;
  const chunks = (sent: string): string => sized('Transfer-Encoding: chunked\r\n', sent);
  const lines: [string, string][] = [
    ['no version', `${method} ${target}`],
    ['another version', `${method} ${target} HTTP/9.9`],
    ['HTTP/0.9', `${method} ${target} HTTP/0.9`],
    ['HTTP/2.0', `${method} ${target} HTTP/2.0`],
    ['a version without a number', `${method} ${target} HTTP/x`],
    ['another protocol', `${method} ${target} ICE/1.0x`],
    ['the method in small letters', `${method.toLowerCase()} ${target} HTTP/1.1`],
    ['an unknown method', `FETCH ${target} HTTP/1.1`],
    ['no method', ` ${target} HTTP/1.1`],
    ['no path', `${method}  HTTP/1.1`],
    ['a path without a slash', `${method} livez HTTP/1.1`],
    ['a blank in the path', `${method} ${target} x HTTP/1.1`],
    ['a tab in the path', `${method} ${target}\tx HTTP/1.1`],
    ['NUL in the path', `${method} ${target}\u0000 HTTP/1.1`],
    ['a control character in the path', `${method} ${target}\u0001 HTTP/1.1`],
    ['DEL in the path', `${method} ${target}\u007f HTTP/1.1`],
    ['a tab instead of a space', `${method}\t${target} HTTP/1.1`],
    ['HTTP/2', 'PRI * HTTP/2.0'],
    ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'],
    ['a single word', 'HELLO'],
    ['JSON', '{"method":"GET"}'],
  ];
  const headerFields: [string, string][] = [
    ['no colon', 'no colon here\r\n'],
    ['a blank before the colon', 'X-A : 1\r\n'],
    ['a blank in a name', 'X A: 1\r\n'],
    ['an empty name', ': 1\r\n'],
    ['a bracket in a name', 'X(A): 1\r\n'],
    ['a letter beyond ASCII in a name', 'X-Ä: 1\r\n'],
    ['NUL in a name', 'X\u0000A: 1\r\n'],
    ['NUL in a value', 'X-A: 1\u00002\r\n'],
    ['a control character in a value', 'X-A: 1\u00012\r\n'],
    ['DEL in a value', 'X-A: 1\u007f2\r\n'],
    ['a carriage return in a value', 'X-A: 1\rX-B: 2\r\n'],
    ['a folded line before the first field', ' X-A: 1\r\n'],
    ['two hosts', 'Host: y\r\n'],
    ['two lengths', 'Content-Length: 1\r\n'],
    ['a length and chunks', 'Transfer-Encoding: chunked\r\n'],
    ['chunked that is not the last transfer coding', 'Transfer-Encoding: chunked, gzip\r\n'],
    ['an unknown transfer coding', 'Transfer-Encoding: unknown\r\n'],
  ];
  const lengths = ['-1', '+5', '0x10', '1e1', '1.0', '1,1', '5 5', 'x', '""', '5;', '9'.repeat(30), '\u0665'];
  return [
    ...lines.map(([what, text]) => [what, line(text), MALFORMED] as [string, string, readonly ProblemCode[]]),
    ...headerFields.map(
      ([what, text]) => [what, field(text), MALFORMED] as [string, string, readonly ProblemCode[]],
    ),
    ...lengths.map(
      (text) =>
        [`a length of ${text}`, sized(`Content-Length: ${text}\r\n`), MALFORMED] as [
          string,
          string,
          readonly ProblemCode[],
        ],
    ),
    ['a body that ends too early', sized('Content-Length: 999\r\n'), BROKEN_BODY_PROBLEMS],
    ['chunked without a chunk', chunks(''), BROKEN_BODY_PROBLEMS],
    ['a chunk without a size', chunks('x\r\n{}\r\n0\r\n\r\n'), BROKEN_BODY_PROBLEMS],
    ['a chunk with a negative size', chunks('-2\r\n{}\r\n0\r\n\r\n'), BROKEN_BODY_PROBLEMS],
    ['a chunk with a huge size', chunks(`${'F'.repeat(20)}\r\n{}\r\n0\r\n\r\n`), BROKEN_BODY_PROBLEMS],
    ['a chunk longer than its size', chunks('1\r\n{}\r\n0\r\n\r\n'), BROKEN_BODY_PROBLEMS],
    ['a chunk shorter than its size', chunks('9\r\n{}\r\n0\r\n\r\n'), BROKEN_BODY_PROBLEMS],
    ['chunks without a last one', chunks('2\r\n{}\r\n'), BROKEN_BODY_PROBLEMS],
    ['a last chunk without an end', chunks('2\r\n{}\r\n0\r\n'), BROKEN_BODY_PROBLEMS],
    ['a blank in the size of a chunk', chunks('2 2\r\n{}\r\n0\r\n\r\n'), BROKEN_BODY_PROBLEMS],
    ['a chunk size with the prefix 0x', chunks('0x2\r\n{}\r\n0\r\n\r\n'), BROKEN_BODY_PROBLEMS],
    ['a large name', field(`${'X'.repeat(20_000)}: 1\r\n`), TOO_LARGE],
    ['a large value', field(`X: ${'x'.repeat(20_000)}\r\n`), TOO_LARGE],
    ['a large path', line(`${method} ${target}${'x'.repeat(20_000)} HTTP/1.1`), TOO_LARGE],
    [
      'many fields',
      field(
        manyHeaders()
          .map(([name, value]) => `${name}: ${value}\r\n`)
          .join(''),
      ),
      TOO_LARGE,
    ],
  ];
}
