import { createRequire } from 'node:module';
import path from 'node:path';
import { type Canvas, GlobalFonts, createCanvas } from '@napi-rs/canvas';
import { buildPdfFile, pageContent } from './pdf-files.js';

/** Size of a scan, in pixels. */
export const SCAN = { width: 1240, height: 400 };

/** Black text on white, like a scan with 150 dots per inch. */
export function scan(lines: readonly string[], { width, height } = SCAN): Canvas {
  const fonts = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  GlobalFonts.registerFromPath(path.join(fonts, 'standard_fonts', 'LiberationSans-Regular.ttf'), 'Scan');
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = 'white';
  context.fillRect(0, 0, width, height);
  context.fillStyle = 'black';
  context.font = '32px Scan';
  for (const [index, line] of lines.entries()) context.fillText(line, 60, 80 + index * 50);
  return canvas;
}

/** @param degrees clockwise: 90, 180 or 270 */
export function turn(canvas: Canvas, degrees: number): Canvas {
  const isSideways = degrees % 180 !== 0;
  const turned = isSideways
    ? createCanvas(canvas.height, canvas.width)
    : createCanvas(canvas.width, canvas.height);
  const context = turned.getContext('2d');
  context.translate(turned.width / 2, turned.height / 2);
  context.rotate((degrees * Math.PI) / 180);
  context.drawImage(canvas, -canvas.width / 2, -canvas.height / 2);
  return turned;
}

/** Numbers from 0 to 1, the same in every run. */
function randomNumbers(): () => number {
  let state = 1;
  return () => (state = (state * 1_103_515_245 + 12_345) & 0x7fffffff) / 0x7fffffff;
}

/** Changes each grey value by up to half of `amount`, and adds black and white specks. */
export function addNoise(canvas: Canvas, amount: number): Canvas {
  const random = randomNumbers();
  const context = canvas.getContext('2d');
  const image = context.getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 0; at < image.data.length; at += 4) {
    const change = (random() - 0.5) * amount;
    const speck = random() < amount / 8000 ? (random() < 0.5 ? 0 : 255) : null;
    for (let colour = at; colour < at + 3; colour += 1)
      image.data[colour] = speck ?? Math.max(0, Math.min(255, (image.data[colour] ?? 0) + change));
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

/** Grass and stones: many edges, and no text. */
export function photo(width: number, height: number): Canvas {
  const random = randomNumbers();
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#7a8450';
  context.fillRect(0, 0, width, height);
  for (let count = 0; count < 4000; count += 1) {
    context.strokeStyle = `hsl(${90 + random() * 60} 40% ${20 + random() * 50}%)`;
    context.lineWidth = 1 + random() * 5;
    const [x, y] = [random() * width, random() * height];
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + (random() - 0.5) * 60, y + (random() - 0.5) * 120);
    context.stroke();
  }
  for (let count = 0; count < 150; count += 1) {
    context.fillStyle = `hsl(${random() * 360} 50% 50% / 50%)`;
    context.beginPath();
    context.arc(random() * width, random() * height, 5 + random() * 60, 0, 7);
    context.fill();
  }
  return addNoise(canvas, 40);
}

/** Where an image is painted on a page of 595 by 842 points, from the bottom left corner. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A page with text and images. With `isInvisible`, the text is like that of a scan recognised before. */
export function buildMixedPdf(
  lines: readonly string[],
  images: readonly { readonly canvas: Canvas; readonly place: Place }[],
  { isInvisible = false } = {},
): Buffer {
  const first = 6;
  const names = images.map((_, index) => `/Im${index} ${first + index} 0 R`).join(' ');
  const painted = images.map(
    ({ place: { x, y, width, height } }, index) => `q ${width} 0 0 ${height} ${x} ${y} cm /Im${index} Do Q\n`,
  );
  const text = pageContent(lines).toString('latin1');
  const content = Buffer.from(`${painted.join('')}${isInvisible ? '3 Tr ' : ''}${text}`, 'latin1');
  return buildPdfFile([
    { dictionary: '<</Type /Catalog /Pages 2 0 R>>' },
    { dictionary: '<</Type /Pages /Kids [4 0 R] /Count 1>>' },
    { dictionary: '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>' },
    {
      dictionary: `<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources <</XObject <<${names}>> /Font <</F1 3 0 R>>>>>>`,
    },
    { dictionary: '<<>>', stream: content },
    ...images.map(({ canvas }) => ({
      dictionary: `<</Type /XObject /Subtype /Image /Width ${canvas.width} /Height ${canvas.height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode>>`,
      stream: canvas.encodeSync('jpeg', 90),
    })),
  ]);
}
