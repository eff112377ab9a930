import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import iconv from 'iconv-lite';
import { Tokenize } from 'rtf-stream-parser';
import { ToPlainText } from 'rtf-stream-parser/dist/src/ToPlainText.js';
import { ExtractionError } from './extraction-error.js';
import { type Source } from './source.js';
import { type TextOutput } from './text-output.js';

/** A token of the library: `{`, `}`, a control word or symbol, or text. */
interface Token {
  readonly type: number;
  readonly word?: string;
  readonly data?: Buffer;
}
const GROUP_START = 0;
const GROUP_END = 1;
const CONTROL = 2;
const TEXT = 3;

/** Control words whose group contains no text: pictures, embedded objects and descriptions of the document. */
const HIDDEN = new Set([
  'pict',
  'objdata',
  'info',
  'stylesheet',
  'listtable',
  'listoverridetable',
  'revtbl',
  'rsidtbl',
  'generator',
  'themedata',
  'colorschememapping',
  'datastore',
  'latentstyles',
  'xmlnstbl',
  'fldinst',
  'filetbl',
]);
const LINE: Token = { type: CONTROL, word: 'line' };

/** Tokens that the library would ignore: ends of cells and rows separate words, and `\\_` is a hyphen. */
const REPLACEMENTS = new Map<string, Token>([
  ...['cell', 'nestcell', 'row', 'nestrow', 'sect', 'page'].map((word) => [word, LINE] as const),
  ['_', { type: TEXT, data: Buffer.from('-') }],
]);

/** Groups inside a paragraph whose text is not a part of it. The library ignores those of comments, which begin with `\\*`. */
const ASIDES = new Set(['footnote', 'annotation', 'atnauthor']);

/**
 * Adds the text of a file in Rich Text Format 1.9.1: paragraphs and tables in source order, in any code page.
 *
 * @throws ExtractionError Corrupted
 */
export async function readRtf(source: Source, output: TextOutput): Promise<void> {
  let hiddenDepth = 0;
  let depth = 0;
  let star: Token | null = null;
  const asides: number[] = [];
  function* visible(token: Token): Generator<Token> {
    const { type, word = '' } = token;
    if (type === GROUP_START) depth += 1;
    if (hiddenDepth === 0 && HIDDEN.has(word)) hiddenDepth = depth;
    const isHidden = hiddenDepth > 0 && !(type === GROUP_END && depth === hiddenDepth);
    if (type === GROUP_END) {
      if (depth === hiddenDepth) hiddenDepth = 0;
      depth -= 1;
    }
    if (isHidden) return;
    if (type === CONTROL && word === '*') return void (star = token);
    const isAside = type === CONTROL && ASIDES.has(word);
    if (isAside) asides.push(depth);
    if (isAside) yield LINE;
    else if (star) yield star;
    star = null;
    yield REPLACEMENTS.get(word) ?? token;
    if (type === GROUP_END && asides.at(-1) === depth + 1) {
      asides.pop();
      yield LINE;
    }
  }
  const filter = new Transform({
    objectMode: true,
    transform(token: Token, _, done) {
      for (const each of visible(token)) this.push(each);
      done();
    },
  });
  const text = new ToPlainText({ decode: iconv.decode, replaceSymbolFontChars: true, warn: () => undefined });
  try {
    await pipeline(
      Readable.from(source.chunks(), { objectMode: false }),
      new Tokenize(),
      filter,
      text,
      async (pieces: AsyncIterable<Buffer | string>) => {
        for await (const piece of pieces) {
          output.add(String(piece));
          if (output.full) return;
        }
      },
    );
  } catch (error) {
    if (output.full) return;
    throw new ExtractionError('Corrupted', (error as Error).message);
  }
}
