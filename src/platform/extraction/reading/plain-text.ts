import { isAscii } from 'node:buffer';
import { decodeDetected, decoderOf, detectEncoding } from './decode-text.js';
import { decodeQuotedPrintable } from './mime.js';
import { type Source } from './source.js';
import { type TextOutput } from './text-output.js';

/** @param charset encoding that the sender declared, used if the bytes show no other */
export async function readPlainText(source: Source, output: TextOutput, charset?: string): Promise<void> {
  for await (const text of decodedChunks(source, () => charset)) {
    // A zero separates words.
    output.add(text.replaceAll('\0', ' '));
    if (output.full) return;
  }
}

/**
 * Decodes a source chunk by chunk.
 *
 * @param declared returns the encoding declared in the first bytes of the text (given as Latin-1)
 */
export async function* decodedChunks(
  source: Source,
  declared: (start: string) => string | undefined,
): AsyncGenerator<string> {
  let decoder = decoderOf('utf-8');
  let isKnown = false;
  let declaredEncoding: string | undefined;
  let position = 0;
  for await (const chunk of source.chunks()) {
    if (position === 0) declaredEncoding = declared(chunk.subarray(0, 4096).toString('latin1'));
    position += chunk.length;
    if (!isKnown) {
      const encoding = detectEncoding(chunk, declaredEncoding);
      // A chunk in ASCII does not show which encoding follows.
      isKnown = encoding !== 'utf-8' || !isAscii(chunk);
      if (isKnown) decoder = decoderOf(encoding);
    }
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}

/** Maximum number of bytes read. */
const MAX_SIZE = 16 * 1024 * 1024;
/** `NAME;PARAMETERS:value`; parameters may have quotes. */
const LINE = /^([\w.-]+)((?:;(?:"[^"]*"|[^":;])*)*):([^]*)$/;

/**
 * Adds the text of a calendar (RFC 5545) or a vCard (2.1 or RFC 6350): lines are unfolded before they are decoded, because
 * programs fold inside characters. Pictures and other binary values are left out.
 */
export async function readContentLines(source: Source, output: TextOutput, charset?: string): Promise<void> {
  const raw = (await source.read(0, MAX_SIZE)).toString('latin1');
  if (raw.includes('\0')) return output.add(decodeDetected(Buffer.from(raw, 'latin1'), charset));
  // vCard 2.1 folds at spaces, and keeps them.
  const isOld = /^VERSION:2\.1\s*$/im.test(raw);
  const lines = raw.replace(/\r?\n([ \t])/g, isOld ? '$1' : '').split(/\r?\n/);
  for (let index = 0; index < lines.length && !output.full; index += 1) {
    const pieces = [lines[index] ?? ''];
    const isQuoted = /^[^:]*quoted-printable/i.test(pieces[0] ?? '');
    while (isQuoted && lines[index]?.endsWith('=') && index + 1 < lines.length) {
      index += 1;
      pieces.push(lines[index] ?? '');
    }
    output.add(`${textOf(pieces.join('\n'), charset)}\n`);
  }
}

function textOf(line: string, charset: string | undefined): string {
  const [, name, parameters = '', value = ''] = LINE.exec(line) ?? [];
  if (name === undefined) return decodeDetected(Buffer.from(line, 'latin1'), charset);
  if (/;(?:encoding=)?(?:b|base64)(?:;|$)/i.test(parameters) || /^data:[^,]{0,200};base64,/i.test(value))
    return name;
  const declared = /;charset="?([\w.:-]+)/i.exec(parameters)?.[1] ?? charset;
  const bytes = /;(?:encoding=)?quoted-printable(?:;|$)/i.test(parameters)
    ? decodeQuotedPrintable(value)
    : Buffer.from(value, 'latin1');
  const text = decodeDetected(bytes, declared).replace(/\\([nN,;\\])/g, (_, escaped: string) =>
    escaped.toLowerCase() === 'n' ? '\n' : escaped,
  );
  return `${decodeDetected(Buffer.from(name + parameters, 'latin1'), charset)}: ${text}`;
}
