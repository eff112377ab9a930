import { Parser } from 'htmlparser2';
import { decodeChunks } from './plain-text.js';
import { type Source } from './source.js';
import { type TextOutput } from './text-output.js';
import { NestingDepth } from './xml-text.js';

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
  const reader = new HtmlReader(output);
  await decodeChunks(
    source,
    (text) => reader.write(text),
    () => output.full,
    (start) =>
      charset ?? META_CHARSET.exec(start)?.[1] ?? /^<\?xml[^>]*?encoding=["']([\w.:-]+)/.exec(start)?.[1],
  );
  reader.end();
}

class HtmlReader {
  readonly #parser: Parser;
  readonly #depth = new NestingDepth();
  #hidden = 0;
  #inTitle = false;

  constructor(private readonly output: TextOutput) {
    this.#parser = new Parser({
      onopentag: (name, { alt }) => this.#open(name, alt),
      ontext: (text) => this.#text(text),
      onclosetag: (name) => this.#close(name),
    });
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  end(): void {
    this.#parser.end();
  }

  #open(name: string, alt: string | undefined): void {
    this.#depth.enter();
    if (HIDDEN.has(name)) this.#hidden += 1;
    else if (name === 'title') this.#inTitle = true;
    else if (BLOCKS.has(name)) this.output.add('\n');
    else if (name === 'td' || name === 'th') this.output.add('\t');
    else if (name === 'img' && alt) this.output.add(` ${alt} `);
  }

  #text(text: string): void {
    // Line ends in the source are only white space (also in <pre>, where a space separates the words as well).
    if (this.#hidden === 0 || this.#inTitle) this.output.add(text.replaceAll('\n', ' '));
  }

  #close(name: string): void {
    this.#depth.leave();
    if (HIDDEN.has(name)) this.#hidden -= 1;
    if (name === 'title') this.#inTitle = false;
    if (BLOCKS.has(name) && (this.#hidden === 0 || name === 'title')) this.output.add('\n');
  }
}
