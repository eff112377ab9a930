import bidiModule, { type Bidi } from 'bidi-js';

/** A piece of text from pdf.js: a run of glyphs. The matrix places its start on the baseline. */
interface TextPiece {
  readonly str: string;
  readonly dir: string;
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
  /** False also before some ends of lines: when text moves back, or is in another form object. */
  readonly hasEOL: boolean;
  /** Whether the text runs from top to bottom. Then width and height change their roles. */
  readonly isVertical: boolean;
}

type Vector = readonly [number, number];

/** A larger gap between pieces is a space. Unit: the size of the text. pdf.js has the same limit within a piece. */
const SPACE_WIDTH = 0.1;
/**
 * Text that begins further before the end of the last piece was not moved by kerning. Unit: the size of the text. With
 * 800 PDFs, smaller and larger values give more words that pdftotext does not have.
 */
const MAX_OVERLAP = 0.5;
/** Pieces of one line have baselines that are closer than this. Unit: the size of the text. */
const LINE_TOLERANCE = 0.5;

/** Divides pieces, in the order of the file, into lines. */
export function linesOf<Piece extends TextPiece>(pieces: readonly Piece[]): Piece[][] {
  const lines: Piece[][] = [];
  let line: Piece[] = [];
  let isOpen = false;
  for (const piece of pieces) {
    const last = line.at(-1);
    if (piece.str !== '') {
      if (!isOpen || !last || !onOneLine(last, piece)) lines.push((line = []));
      line.push(piece);
      isOpen = true;
    }
    if (piece.hasEOL) isOpen = false;
  }
  return lines;
}

/** The text of pieces that follow each other on a line, with spaces between those that are apart. */
export function joined(line: readonly TextPiece[]): string {
  return line
    .map((piece, index) => {
      const last = line[index - 1];
      return last && areApart(last, piece) ? ` ${piece.str}` : piece.str;
    })
    .join('');
}

function areApart(last: TextPiece, next: TextPiece): boolean {
  const axis = direction(last);
  const gap = along(axis, next) - along(axis, last) - lengthOf(last);
  const size = Math.max(sizeOf(last), sizeOf(next));
  return isGap(gap, size) || gap < -MAX_OVERLAP * size;
}

function isGap(width: number, size: number): boolean {
  return width > SPACE_WIDTH * size;
}

function onOneLine(one: TextPiece, other: TextPiece): boolean {
  const [x, y] = direction(one);
  const [u, v] = direction(other);
  const shift = Math.abs(along([-y, x], one) - along([-y, x], other));
  return x * u + y * v > 0.99 && shift <= LINE_TOLERANCE * Math.max(sizeOf(one), sizeOf(other));
}

/** The unit vector in which the text runs. */
function direction({ transform: [a = 1, b = 0, c = 0, d = 1], isVertical }: TextPiece): Vector {
  const [x, y] = isVertical ? [-c, -d] : [a, b];
  const length = Math.hypot(x, y) || 1;
  return [x / length, y / length];
}

/** The position of the start of a piece on an axis. */
function along([x, y]: Vector, { transform: [, , , , e = 0, f = 0] }: TextPiece): number {
  return e * x + f * y;
}

function lengthOf({ width, height, isVertical }: TextPiece): number {
  return isVertical ? height : width;
}

function sizeOf({ width, height, isVertical }: TextPiece): number {
  return isVertical ? width : height;
}

// The package's types describe an ES module, but Node loads its CommonJS file: the default import is the factory.
const bidi = (bidiModule as unknown as () => Bidi)();

/** A piece with its letters from left to right. A ligature is one of them. */
interface VisualPiece extends TextPiece {
  readonly letters: readonly string[];
}

const LETTERS = '[\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}]';
const RIGHT_TO_LEFT = new RegExp(LETTERS, 'u');
/** Splits the text of a glyph: letters from right to left stay together, with their marks and the spaces between them. */
const PARTS = new RegExp(`(?:${LETTERS}\\p{M}*)+(?: +(?:${LETTERS}\\p{M}*)+)*|.`, 'gsu');
/** Glyphs that belong to no piece, for example outside of the page. */
const MAX_SKIPPED_GLYPHS = 1000;

export function hasRightToLeft(pieces: readonly TextPiece[]): boolean {
  return pieces.some(({ str }) => RIGHT_TO_LEFT.test(str));
}

/**
 * Returns the lines of a page in logical order: the order in which they are read.
 *
 * PDF files store the glyphs of a line in any order: each from the left (browsers), or words from the right (LibreOffice).
 * pdf.js reorders the characters within a piece, and also those of a ligature. So lines with text from right to left are
 * brought into visual order, and then into logical order by the Unicode Bidirectional Algorithm (UAX 9).
 *
 * @param glyphs the text of each glyph in the order of the file; a ligature has several letters
 */
export function inLogicalOrder(pieces: readonly TextPiece[], glyphs: readonly string[]): string[] {
  return linesOf(inVisualOrder(pieces, glyphs)).map((line) =>
    hasRightToLeft(line) ? logicalLine(line) : joined(line),
  );
}

/** Pieces whose glyphs are not found are divided into single characters. */
function inVisualOrder(pieces: readonly TextPiece[], glyphs: readonly string[]): VisualPiece[] {
  let next = 0;
  return pieces.map((piece) => {
    const visual = RIGHT_TO_LEFT.test(piece.str)
      ? reorder([...piece.str], piece.dir === 'rtl').join('')
      : piece.str;
    for (let start = next; start <= next + MAX_SKIPPED_GLYPHS && start < glyphs.length; start += 1) {
      const letters = lettersAt(glyphs, start, visual);
      if (!letters) continue;
      next = start + letters.glyphs;
      return { ...piece, letters: letters.found };
    }
    return { ...piece, letters: [...visual] };
  });
}

/** Divides a text into the glyphs from `start` on, or returns null if it does not consist of them. */
function lettersAt(
  glyphs: readonly string[],
  start: number,
  text: string,
): { readonly found: string[]; readonly glyphs: number } | null {
  const found: string[] = [];
  let count = 0;
  for (let index = 0; index < text.length;) {
    const isSpace = /\s/.test(text.charAt(index));
    const glyph = isSpace ? ' ' : glyphs[start + count];
    if (glyph === undefined || !(isSpace || text.startsWith(glyph, index))) return null;
    found.push(...(glyph.match(PARTS) ?? []));
    index += glyph.length;
    if (!isSpace) count += 1;
  }
  return { found, glyphs: count };
}

function logicalLine(line: readonly VisualPiece[]): string {
  const letters: string[] = [];
  let end = Infinity;
  for (const { piece, start } of fromTheLeft(line)) {
    if (isGap(start - end, piece.height)) letters.push(' ');
    letters.push(...piece.letters);
    end = start + piece.width;
  }
  const count = (pattern: RegExp): number => letters.filter((letter) => pattern.test(letter)).length;
  const rightToLeft = count(RIGHT_TO_LEFT);
  return reorder(letters, rightToLeft >= count(/\p{L}/u) - rightToLeft).join('');
}

function fromTheLeft(
  line: readonly VisualPiece[],
): { readonly piece: VisualPiece; readonly start: number }[] {
  const [first] = line;
  const axis = first ? direction(first) : ([1, 0] as const);
  return line
    .map((piece) => ({ piece, start: along(axis, piece) }))
    .sort((one, other) => one.start - other.start);
}

/** Converts visual to logical order and vice versa. The first character of a letter decides its direction. */
function reorder(letters: readonly string[], rightToLeft: boolean): string[] {
  const types = letters.map((letter) => letter.charAt(0)).join('');
  const levels = bidi.getEmbeddingLevels(types, rightToLeft ? 'rtl' : 'ltr');
  return bidi.getReorderedIndices(types, levels).map((index) => letters[index] ?? '');
}
