/** A piece of text from pdf.js: a run of glyphs. The matrix places its start on the baseline. */
export interface TextPiece {
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

export function isGap(width: number, size: number): boolean {
  return width > SPACE_WIDTH * size;
}

function onOneLine(one: TextPiece, other: TextPiece): boolean {
  const [x, y] = direction(one);
  const [u, v] = direction(other);
  const shift = Math.abs(along([-y, x], one) - along([-y, x], other));
  return x * u + y * v > 0.99 && shift <= LINE_TOLERANCE * Math.max(sizeOf(one), sizeOf(other));
}

/** The unit vector in which the text runs. */
export function direction({ transform: [a = 1, b = 0, c = 0, d = 1], isVertical }: TextPiece): Vector {
  const [x, y] = isVertical ? [-c, -d] : [a, b];
  const length = Math.hypot(x, y) || 1;
  return [x / length, y / length];
}

/** The position of the start of a piece on an axis. */
export function along([x, y]: Vector, { transform: [, , , , e = 0, f = 0] }: TextPiece): number {
  return e * x + f * y;
}

function lengthOf({ width, height, isVertical }: TextPiece): number {
  return isVertical ? height : width;
}

function sizeOf({ width, height, isVertical }: TextPiece): number {
  return isVertical ? width : height;
}
