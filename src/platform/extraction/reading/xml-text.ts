import { Parser } from 'htmlparser2';
import { ExtractionError } from './extraction-error.js';
import { type TextOutput } from './text-output.js';

/** What a reader of XML is told; names come without their namespace prefix. */
interface XmlHandler {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
  /** No need to read on. */
  readonly done?: boolean;
}

/** The parser's time grows with the square of the depth; no document is anywhere near as deep. */
const MAX_DEPTH = 5000;

/**
 * How deep the elements lie within each other.
 *
 * @throws ExtractionError Corrupted
 */
export class NestingDepth {
  #depth = 0;

  enter(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH)
      throw new ExtractionError('Corrupted', `elements lie deeper than ${MAX_DEPTH} within each other`);
  }

  leave(): void {
    this.#depth -= 1;
  }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Feeds XML to a handler piece by piece, without ever holding the whole. The parser knows no document type
 * definitions: entities that one declares stay as they are written, and nothing is fetched or multiplied.
 */
export async function parseXml(chunks: AsyncIterable<Buffer>, handler: XmlHandler): Promise<void> {
  const depth = new NestingDepth();
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth.enter();
        handler.open?.(localName(name), attributes);
      },
      ontext: (text) => handler.text?.(text),
      onclosetag(name) {
        depth.leave();
        handler.close?.(localName(name));
      },
    },
    { xmlMode: true },
  );
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(xmlEncoding(chunk));
    parser.write(decoder.decode(chunk, { stream: true }));
    if (handler.done) return;
  }
  parser.end();
}

/** XML 1.0, appendix F: UTF-16 by its byte order mark or its first character, else what is declared, else UTF-8. */
function xmlEncoding(start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  if (start[0] === 0x3c && start[1] === 0) return 'utf-16le';
  if (start[0] === 0 && start[1] === 0x3c) return 'utf-16be';
  const declared = /^(?:\ufeff|ï»¿)?<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(
    start.subarray(0, 300).toString('latin1'),
  )?.[1];
  return supportedEncoding(declared) ?? 'utf-8';
}

/** A label that TextDecoder takes, or null. What declares UTF-16 in readable ASCII is not UTF-16. */
export function supportedEncoding(label: string | undefined): string | null {
  if (label === undefined) return null;
  try {
    const { encoding } = new TextDecoder(label);
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
  } catch {
    return null;
  }
}

/** All character data of any XML, an element a line. */
export async function readXml(chunks: AsyncIterable<Buffer>, output: TextOutput): Promise<void> {
  await parseXml(chunks, {
    text: (text) => output.add(text),
    close: () => output.add('\n'),
    get done() {
      return output.full;
    },
  });
}
