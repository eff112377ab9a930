import { Parser } from 'htmlparser2';
import { type Decoder, decoderOf, supportedEncoding } from './decode-text.js';
import { ExtractionError } from './extraction-error.js';
import { decodedChunks } from './plain-text.js';
import { type Source } from './source.js';
import { type TextOutput } from './text-output.js';

/** Elements without visible text. */
const HIDDEN = new Set(['script', 'style', 'template', 'noscript', 'object', 'svg', 'math', 'head']);
/** Block elements: their start and end separate words. */
const BLOCKS = new Set(
  (
    'address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 header hr legend li main nav ol option p pre section select summary table tbody ' +
    'tfoot thead tr title ul'
  ).split(' '),
);
const META_CHARSET = /<meta\b[^>]{0,500}?\bcharset\s*=\s*["']?\s*([\w.:-]{1,40})/i;

/**
 * Adds the visible text of an HTML page in source order, starting with the title.
 *
 * @param charset encoding that the sender declared; it has priority over that in the page
 */
export async function readHtml(source: Source, output: TextOutput, charset?: string): Promise<void> {
  let hidden = 0;
  let inTitle = false;
  const parser = parserOf({
    open(name, { alt }) {
      if (HIDDEN.has(name)) hidden += 1;
      else if (name === 'title') inTitle = true;
      else if (BLOCKS.has(name)) output.add('\n');
      else if (name === 'td' || name === 'th') output.add('\t');
      else if (name === 'img' && alt) output.add(` ${alt} `);
    },
    text(text) {
      // Line ends in the source are only white space (also in <pre>, where a space separates the words as well).
      if (hidden === 0 || inTitle) output.add(text.replaceAll('\n', ' '));
    },
    close(name) {
      if (HIDDEN.has(name)) hidden -= 1;
      if (name === 'title') inTitle = false;
      if (BLOCKS.has(name) && (hidden === 0 || name === 'title')) output.add('\n');
    },
  });
  const declared = (start: string): string | undefined =>
    charset ?? META_CHARSET.exec(start)?.[1] ?? /^<\?xml[^>]*?encoding=["']([\w.:-]+)/.exec(start)?.[1];
  for await (const text of decodedChunks(source, declared)) {
    parser.write(text);
    if (output.full) break;
  }
  parser.end();
}

interface MarkupHandler {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Names have no namespace prefix. */
interface XmlHandler extends MarkupHandler {
  /** True stops the parser. */
  readonly done?: boolean;
}

/** The time of the parser grows with the square of the depth. Real documents are far less deep. */
const MAX_DEPTH = 5000;

/** The parser throws ExtractionError Corrupted when the depth exceeds {@link MAX_DEPTH}. */
function parserOf(handler: MarkupHandler, { xmlMode = false } = {}): Parser {
  const nameOf = (name: string): string => (xmlMode ? name.slice(name.indexOf(':') + 1) : name);
  let depth = 0;
  return new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > MAX_DEPTH)
          throw new ExtractionError('Corrupted', `elements are nested deeper than ${MAX_DEPTH}`);
        handler.open?.(nameOf(name), attributes);
      },
      ontext: (text) => handler.text?.(text),
      onclosetag(name) {
        depth -= 1;
        handler.close?.(nameOf(name));
      },
    },
    { xmlMode },
  );
}

/**
 * Parses XML chunk by chunk. The parser ignores document type definitions: declared entities are not expanded, and
 * external ones are not loaded.
 */
export async function parseXml(chunks: AsyncIterable<Buffer>, handler: XmlHandler): Promise<void> {
  const parser = parserOf(handler, { xmlMode: true });
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
