import { createCanvas, loadImage } from '@napi-rs/canvas';

export type Colour = 'white' | 'black' | 'red' | 'blue' | 'other';

/** What a picture shows: its size, and the colours in the middle of its four quarters, from left to right and down. */
export interface Shown {
  readonly width: number;
  readonly height: number;
  readonly quarters: readonly Colour[];
}

export async function shownIn(image: Buffer): Promise<Shown> {
  const { width, height } = await loadImage(image);
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.drawImage(await loadImage(image), 0, 0);
  const colourAt = (x: number, y: number): Colour =>
    nameOf([...context.getImageData(Math.floor(x * width), Math.floor(y * height), 1, 1).data]);
  const places = [0.25, 0.75];
  return { width, height, quarters: places.flatMap((y) => places.map((x) => colourAt(x, y))) };
}

function nameOf([red = 0, green = 0, blue = 0]: readonly number[]): Colour {
  const pattern = [red, green, blue].map((value) => (value > 200 ? '1' : value < 60 ? '0' : '?')).join('');
  const names: Readonly<Record<string, Colour>> = {
    '111': 'white',
    '000': 'black',
    '100': 'red',
    '001': 'blue',
  };
  return names[pattern] ?? 'other';
}

/** Whether a part of the picture has dark pixels. */
export async function hasInk(image: Buffer): Promise<boolean> {
  const loaded = await loadImage(image);
  const canvas = createCanvas(loaded.width, loaded.height);
  const context = canvas.getContext('2d');
  context.drawImage(loaded, 0, 0);
  const { data } = context.getImageData(0, 0, loaded.width, loaded.height);
  for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 255) < 100) return true;
  return false;
}
