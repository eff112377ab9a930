import express, { type Request, type Response } from 'express';
import { Problem, invalidValue } from '../common/problem.js';

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
  if (empty) throw malformed('A JSON body is required.');
  if (!isJson(contentType)) {
    throw new Problem('request.unsupported-media-type', 'Send the body as application/json, in UTF-8.');
  }
  await new Promise<void>((resolve, reject) => {
    readBytes(request, response, (fault?: unknown) => (fault ? reject(bodyProblem(fault)) : resolve()));
  });
  return decodeJsonText(request.body as Buffer);
}

/** Well-formed UTF-8, or the problem. */
export function decodeJsonText(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformed('The body is not well-formed UTF-8.');
  }
}

/**
 * Parses JSON that is no deeper than is accepted: the depth is counted on the text, before anything recursive sees
 * it. A member `__proto__` is dropped, so that copying an object's members never sets a prototype.
 */
export function parseJson(text: string): unknown {
  checkDepth(text);
  try {
    return JSON.parse(
      text,
      text.includes('__proto__') || text.includes('\\u') ? withoutPrototype : undefined,
    ) as unknown;
  } catch {
    throw malformed('The body is not well-formed JSON.');
  }
}

function withoutPrototype(this: unknown, key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}

function isJson(contentType: string | undefined): boolean {
  const [, type = '', parameters = ''] = /^\s*([^;\s]+)\s*(?:;(.*))?$/.exec(contentType ?? '') ?? [];
  const charset = /(?:^|;)\s*charset\s*=\s*"?([^";\s]+)/i.exec(parameters)?.[1];
  return type.toLowerCase() === 'application/json' && (charset === undefined || /^utf-?8$/i.test(charset));
}

function malformed(message: string): Problem {
  return new Problem('request.malformed-body', message, { errors: invalidValue('$', message).errors });
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
  return malformed('The body ended before it was complete.');
}

function checkDepth(text: string): void {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text.charCodeAt(i);
    if (inString) {
      if (character === 0x5c) i += 1;
      else if (character === 0x22) inString = false;
    } else if (character === 0x22) inString = true;
    else if (character === 0x7b || character === 0x5b) {
      depth += 1;
      if (depth > MAX_DEPTH) throw malformed(`The body is nested more than ${MAX_DEPTH} levels deep.`);
    } else if (character === 0x7d || character === 0x5d) depth -= 1;
  }
}
