import { Parser } from 'htmlparser2';
import { ExtractionError } from './extraction-error.js';
import { type Decoder, decoderOf, supportedEncoding } from './text-decoder.js';
import { type TextOutput } from './text-output.js';

/** Names have no namespace prefix. */
interface XmlHandler {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
  /** True stops the parser. */
  readonly done?: boolean;
}

/** The time of the parser grows with the square of the depth. Real documents are far less deep. */
const MAX_DEPTH = 5000;

/** @throws ExtractionError Corrupted when the depth exceeds {@link MAX_DEPTH} */
export class NestingDepth {
  #depth = 0;

  enter(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH)
      throw new ExtractionError('Corrupted', `elements are nested deeper than ${MAX_DEPTH}`);
  }

  leave(): void {
    this.#depth -= 1;
  }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Parses XML chunk by chunk. The parser ignores document type definitions: declared entities are not expanded, and
 * external ones are not loaded.
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
  let decoder: Decoder | undefined;
  for await (const chunk of chunks) {
    decoder ??= decoderOf(xmlEncoding(chunk));
    parser.write(decoder.decode(chunk, { stream: true }));
    if (handler.done) return;
  }
  parser.end();
}

/** XML 1.0, appendix F: UTF-16 by byte order mark or first character, or else the declared encoding, or else UTF-8. */
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

/** Elements of SVG that are not drawn. */
const NOT_DRAWN: ReadonlySet<string> = new Set(['script', 'style', 'metadata', 'desc']);

/** Adds all character data of an XML file, one line per element; of SVG, only what is drawn and titles. */
export async function readXml(
  chunks: AsyncIterable<Buffer>,
  output: TextOutput,
  { isSvg }: { readonly isSvg: boolean },
): Promise<void> {
  let hidden = 0;
  const isHidden = (name: string): boolean => isSvg && NOT_DRAWN.has(name);
  await parseXml(chunks, {
    open(name) {
      if (isHidden(name)) hidden += 1;
    },
    text(text) {
      if (hidden === 0) output.add(text);
    },
    close(name) {
      if (isHidden(name)) hidden -= 1;
      output.add('\n');
    },
    get done() {
      return output.full;
    },
  });
}
