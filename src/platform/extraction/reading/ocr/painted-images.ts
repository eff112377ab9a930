import { setTimeout as sleep } from 'node:timers/promises';
import { type PDFPageProxy } from 'pdfjs-dist';
import { loadPdfJs } from '../pdf.js';
import { type Region } from './page-image.js';

type Matrix = readonly [number, number, number, number, number, number];

/** Smaller images are mostly logos, signatures and stamps. */
const MIN_AREA_SHARE = 0.1;
/** Images with more text above them are backgrounds, or scans whose text was recognised before. */
const MAX_CHARACTERS = 100;
/** Images with a smaller gap belong together: some scanners store a page in strips. In points. */
const MAX_GAP = 2;
const MAX_IMAGES = 300;
const MAX_REGIONS = 10;
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * Finds the parts of a page that are images without text, in points from the top left corner, from the top down. Returns
 * none if the time is over.
 */
export async function findImages(page: PDFPageProxy, timeMs: number): Promise<Region[]> {
  const content = await page.getTextContent({ includeMarkedContent: false });
  const text = content.items.filter((item) => 'str' in item);
  const operators = await withinTime(page.getOperatorList(), timeMs);
  if (!operators) return [];
  const { OPS } = await loadPdfJs();
  const viewport = page.getViewport({ scale: 1 });
  const toPage = viewport.transform as unknown as Matrix;
  const bounds = { left: 0, top: 0, right: viewport.width, bottom: viewport.height };
  const images = paintedBoxes(operators as OperatorList, OPS)
    .map((matrix) => boxOf(multiply(toPage, matrix), bounds))
    .filter((box) => areaOf(box) > 0);
  const starts = text.map(({ str, transform }) => {
    const [, , , , x, y] = matrixOf(transform as number[]);
    return { length: str.trim().length, at: apply(toPage, x, y) };
  });
  const charactersIn = (box: Box): number =>
    starts.reduce((sum, { length, at: [x, y] }) => sum + (contains(box, x, y) ? length : 0), 0);
  return joined(images)
    .filter((box) => areaOf(box) >= MIN_AREA_SHARE * areaOf(bounds) && charactersIn(box) <= MAX_CHARACTERS)
    .sort((one, other) => areaOf(other) - areaOf(one))
    .slice(0, MAX_REGIONS)
    .sort((one, other) => one.top - other.top)
    .map(({ left, top, right, bottom }) => ({ left, top, width: right - left, height: bottom - top }));
}

interface OperatorList {
  readonly fnArray: readonly number[];
  readonly argsArray: readonly (readonly unknown[] | null)[];
}

/** The matrices that map the unit square to the painted images (ISO 32000-1, 8.9.5). */
function paintedBoxes({ fnArray, argsArray }: OperatorList, ops: Readonly<Record<string, number>>): Matrix[] {
  const found: Matrix[] = [];
  const stack: Matrix[] = [];
  let current: Matrix = IDENTITY;
  for (const [index, operator] of fnArray.entries()) {
    const values = argsArray[index] ?? [];
    if (operator === ops.save) stack.push(current);
    else if (operator === ops.restore) current = stack.pop() ?? IDENTITY;
    else if (operator === ops.transform) current = multiply(current, matrixOf(values));
    else if (operator === ops.paintFormXObjectBegin) {
      stack.push(current);
      if (values[0]) current = multiply(current, matrixOf(values[0] as ArrayLike<unknown>));
    } else if (operator === ops.paintFormXObjectEnd) current = stack.pop() ?? IDENTITY;
    else for (const matrix of matricesOf(operator, values, ops)) found.push(multiply(current, matrix));
    if (found.length >= MAX_IMAGES) break;
  }
  return found;
}

/** The matrices of the images that an operator paints. pdf.js replaces a sequence of similar operators by one. */
function matricesOf(
  operator: number,
  values: readonly unknown[],
  ops: Readonly<Record<string, number>>,
): Matrix[] {
  switch (operator) {
    case ops.paintImageXObject:
    case ops.paintInlineImageXObject:
    case ops.paintImageMaskXObject:
      return [IDENTITY];
    case ops.paintImageMaskXObjectGroup:
      return (values[0] as readonly Placed[]).map(({ transform }) => matrixOf(transform));
    case ops.paintInlineImageXObjectGroup:
      return (values[1] as readonly Placed[]).map(({ transform }) => matrixOf(transform));
    case ops.paintImageXObjectRepeat: {
      const [, scaleX, scaleY, positions] = values as [unknown, number, number, Float32Array];
      return repeated([scaleX, 0, 0, scaleY], positions);
    }
    case ops.paintImageMaskXObjectRepeat: {
      const [, a, b, c, d, positions] = values as [unknown, number, number, number, number, Float32Array];
      return repeated([a, b, c, d], positions);
    }
    default:
      return [];
  }
}

interface Placed {
  readonly transform: ArrayLike<unknown>;
}

function repeated(scale: readonly [number, number, number, number], positions: Float32Array): Matrix[] {
  return Array.from({ length: positions.length / 2 }, (_, index) =>
    matrixOf([...scale, positions[index * 2], positions[index * 2 + 1]]),
  );
}

function matrixOf(values: ArrayLike<unknown>): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = Array.from(values, Number);
  return [a, b, c, d, e, f];
}

function multiply([a, b, c, d, e, f]: Matrix, [p, q, r, s, t, u]: Matrix): Matrix {
  return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f];
}

function apply([a, b, c, d, e, f]: Matrix, x: number, y: number): readonly [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** The box around the transformed unit square, within the bounds. */
function boxOf(matrix: Matrix, bounds: Box): Box {
  const corners = [apply(matrix, 0, 0), apply(matrix, 1, 0), apply(matrix, 0, 1), apply(matrix, 1, 1)];
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return {
    left: Math.max(bounds.left, Math.min(...xs)),
    top: Math.max(bounds.top, Math.min(...ys)),
    right: Math.min(bounds.right, Math.max(...xs)),
    bottom: Math.min(bounds.bottom, Math.max(...ys)),
  };
}

function areaOf({ left, top, right, bottom }: Box): number {
  return Math.max(0, right - left) * Math.max(0, bottom - top);
}

function contains({ left, top, right, bottom }: Box, x: number, y: number): boolean {
  return x >= left && x <= right && y >= top && y <= bottom;
}

/** Joins boxes that touch or overlap. */
function joined(boxes: readonly Box[]): Box[] {
  const result: Box[] = [];
  for (const box of boxes) {
    let whole = box;
    for (let index = result.findIndex((one) => touches(one, whole)); index >= 0;) {
      const [other = whole] = result.splice(index, 1);
      whole = {
        left: Math.min(whole.left, other.left),
        top: Math.min(whole.top, other.top),
        right: Math.max(whole.right, other.right),
        bottom: Math.max(whole.bottom, other.bottom),
      };
      index = result.findIndex((one) => touches(one, whole));
    }
    result.push(whole);
  }
  return result;
}

function touches(one: Box, other: Box): boolean {
  return (
    one.left - MAX_GAP <= other.right &&
    other.left - MAX_GAP <= one.right &&
    one.top - MAX_GAP <= other.bottom &&
    other.top - MAX_GAP <= one.bottom
  );
}

async function withinTime<T>(work: Promise<T>, timeMs: number): Promise<T | null> {
  const timer = new AbortController();
  try {
    return await Promise.race([work, sleep(timeMs, null, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}
