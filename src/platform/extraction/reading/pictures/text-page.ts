import { type Canvas } from '@napi-rs/canvas';
import { decodeDetected } from '../decode-text.js';
import { type Source } from '../source.js';
import { whiteCanvas } from './picture.js';

/** A page of A4, in points. */
const [WIDTH, HEIGHT] = [595, 842];
/** Margin of the page, and size and distance of its lines, in points. */
const [MARGIN, SIZE, LEADING] = [56, 11, 14];
const MAX_LINES = Math.floor((HEIGHT - 2 * MARGIN) / LEADING);
/** More than fit into a line, unless most of them are as narrow as an i. */
const MAX_LINE = 160;
/** Much more than fits on a page. */
const MAX_BYTES = 64 * 1024;

/** Width of the page of {@link drawTextPage}, in inches. */
export const TEXT_PAGE_WIDTH = WIDTH / 72;

/** Draws the beginning of a text as the first page of a letter. */
export async function drawTextPage(source: Source, width: number): Promise<Canvas> {
  const text = decodeDetected(await source.read(0, Math.min(source.size, MAX_BYTES)));
  const scale = width / WIDTH;
  const canvas = await whiteCanvas(width, Math.round(HEIGHT * scale));
  const context = canvas.getContext('2d');
  context.scale(scale, scale);
  context.fillStyle = 'black';
  context.font = `${SIZE}px sans-serif`;
  const fits = (line: string) => context.measureText(line).width <= WIDTH - 2 * MARGIN;
  let top = MARGIN + SIZE;
  for (const line of firstLines(text, fits)) {
    context.fillText(line, MARGIN, top);
    top += LEADING;
  }
  return canvas;
}

function firstLines(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split(/\r\n|[\r\n\f\u2028\u2029]/, MAX_LINES)) {
    let rest = paragraph.replaceAll('\t', '    ');
    do {
      if (lines.length === MAX_LINES) return lines;
      const end = endOfLine(rest, fits);
      lines.push(rest.slice(0, end));
      rest = rest.slice(end).trimStart();
    } while (rest !== '');
  }
  return lines;
}

/** Where the first line of a paragraph ends: at a space, or within a word that is longer than the line. */
function endOfLine(text: string, fits: (line: string) => boolean): number {
  let end = Math.min(text.length, MAX_LINE);
  while (end > 1 && !fits(text.slice(0, end))) end -= 1;
  if (end === text.length) return end;
  const space = text.lastIndexOf(' ', end);
  return space > 0 ? space : end;
}
