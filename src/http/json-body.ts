import { randomUUID } from 'node:crypto';
import express, { type Request, type Response } from 'express';
import { LongNumber, isExact } from '../common/long-number.js';
import { Problem, malformedBody } from '../common/problem.js';

const MAX_BYTES = 1024 * 1024;
const MAX_DEPTH = 32;

const readBytes = express.raw({ type: () => true, limit: MAX_BYTES, inflate: false });
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the raw JSON body of a request; the problem of its media type, size or encoding when it cannot be read. */
export async function readJsonBody(request: Request, response: Response): Promise<string> {
  const contentType = request.headers['content-type'];
  const empty =
    request.headers['transfer-encoding'] === undefined &&
    Number(request.headers['content-length'] ?? 0) === 0;
  if (empty) throw malformedBody('A JSON body is required.');
  if (!isJson(contentType)) {
    throw new Problem('request.unsupported-media-type', 'Send the body as application/json, in UTF-8.');
  }
  await new Promise<void>((resolve, reject) => {
    readBytes(request, response, (fault?: unknown) => (fault ? reject(bodyProblem(fault)) : resolve()));
  });
  return decodeJsonText(request.body as Buffer);
}

/** Well-formed UTF-8, or the problem. */
function decodeJsonText(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformedBody('The body is not well-formed UTF-8.');
  }
}

/** Stands for a number that cannot be parsed as it is, while the text is parsed; nobody outside can know it. */
const LONG_NUMBER = randomUUID();

/**
 * Parses JSON that is no deeper than is accepted: the depth is counted on the text, before anything recursive sees
 * it. A member `__proto__` is dropped, so that copying an object's members never sets a prototype. A number that
 * JavaScript would change becomes a {@link LongNumber}.
 */
export function parseJson(text: string): unknown {
  const readable = withMarkedNumbers(text, scan(text));
  const plain = readable === text && !text.includes('__proto__') && !text.includes('\\u');
  try {
    return JSON.parse(readable, plain ? undefined : revive) as unknown;
  } catch {
    throw malformedBody('The body is not well-formed JSON.');
  }
}

function revive(this: unknown, key: string, value: unknown): unknown {
  if (key === '__proto__') return undefined;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, LONG_NUMBER)) return value;
  return new LongNumber((value as Record<string, string>)[LONG_NUMBER] ?? '');
}

/** The text with an object in the place of each number, so that it is well-formed exactly if it was before. */
function withMarkedNumbers(text: string, numbers: readonly [number, number][]): string {
  let marked = '';
  let done = 0;
  for (const [start, end] of numbers) {
    marked += `${text.slice(done, start)}{"${LONG_NUMBER}":"${text.slice(start, end)}"}`;
    done = end;
  }
  return done === 0 ? text : marked + text.slice(done);
}

function isJson(contentType: string | undefined): boolean {
  const [, type = '', parameters = ''] = /^\s*([^;\s]+)\s*(?:;(.*))?$/.exec(contentType ?? '') ?? [];
  const charset = /(?:^|;)\s*charset\s*=\s*"?([^";\s]+)/i.exec(parameters)?.[1];
  return type.toLowerCase() === 'application/json' && (charset === undefined || /^utf-?8$/i.test(charset));
}

function bodyProblem(fault: unknown): Problem {
  const { type, status } = fault as { type?: string; status?: number };
  if (type === 'entity.too.large') {
    return new Problem('request.too-large', 'A JSON body has at most 1 MiB.', {
      headers: { Connection: 'close' },
    });
  }
  if (status === 415)
    return new Problem('request.unsupported-media-type', 'Send the body without a content encoding.');
  return malformedBody('The body ended before it was complete.');
}

const [QUOTE, BACKSLASH, MINUS, ZERO, NINE] = [0x22, 0x5c, 0x2d, 0x30, 0x39];
/** All that can stand in a number, and more; what is taken together is held against the grammar. */
const IN_NUMBER = /[-+.\dEe]*/y;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** A shorter number without exponent has no more digits than a double holds. */
const SHORT = 15;

/** Counts the depth, and finds where the numbers are that would not be parsed as they are written. */
function scan(text: string): [number, number][] {
  const numbers: [number, number][] = [];
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text.charCodeAt(i);
    if (inString) {
      if (character === BACKSLASH) i += 1;
      else if (character === QUOTE) inString = false;
    } else if (character === QUOTE) inString = true;
    else if (character === 0x7b || character === 0x5b) {
      depth += 1;
      if (depth > MAX_DEPTH) throw malformedBody(`The body is nested more than ${MAX_DEPTH} levels deep.`);
    } else if (character === 0x7d || character === 0x5d) depth -= 1;
    else if (character === MINUS || (character >= ZERO && character <= NINE)) {
      IN_NUMBER.lastIndex = i;
      const [token = ''] = IN_NUMBER.exec(text) ?? [];
      if ((token.length > SHORT || /[eE]/.test(token)) && NUMBER.test(token) && !isExact(token))
        numbers.push([i, i + token.length]);
      i += token.length - 1;
    }
  }
  return numbers;
}
