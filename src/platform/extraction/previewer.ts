import { type Readable } from 'node:stream';
import { type ExtractionFailure } from './extractor.js';

/** Formats of which pages can be rendered. Never formats with scripts or references, such as SVG and HTML. */
const IMAGE_TYPES: ReadonlySet<string> = new Set([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/bmp',
  'image/avif',
  'image/heic',
  'image/heif',
  'image/tiff',
]);

export function hasPreview(mediaType: string): boolean {
  return mediaType === 'application/pdf' || IMAGE_TYPES.has(mediaType);
}

/** Whether files of this media type have one page only. */
export function isSinglePicture(mediaType: string): boolean {
  return IMAGE_TYPES.has(mediaType) && mediaType !== 'image/tiff';
}

/** Changes whenever the same file would give another picture. */
export const RENDERER_VERSION = 1;
/** Maximum height of a picture, as a multiple of the requested width. The rest of the page is cut off. */
export const MAX_HEIGHT_RATIO = 4;
/** Maximum size of a picture, in bytes. */
export const MAX_PREVIEW_BYTES = 2 * 1024 * 1024;
/** Larger files do not fit into the memory of a process together with what is decoded from them. */
export const MAX_PREVIEWED_BYTES = 128 * 1024 * 1024;

export interface PreviewSize {
  /** From 1. */
  readonly page: number;
  /** In pixels. An image that is narrower is not enlarged. */
  readonly width: number;
}

export interface PreviewRequest extends PreviewSize {
  /** A process reads only files of one owner. */
  readonly owner: string;
  /** Size of the file in bytes. */
  readonly size: number;
  /** Opens the file; called for each attempt. */
  readonly open: () => Promise<Readable>;
}

/** `Unsupported`: the format has no preview. `WithoutPage`: the file has fewer pages. */
export type PreviewFailure = ExtractionFailure | 'Unsupported' | 'WithoutPage';

export type Preview =
  /** A WebP file. */
  | { readonly image: Buffer; readonly failure: null }
  | { readonly image: null; readonly failure: PreviewFailure };

/** Renders pages of files as pictures (docs/adr/0045). */
export abstract class Previewer {
  /** Whether this machine can render pictures. */
  abstract isAvailable(): Promise<boolean>;

  /**
   * Resolves with a `failure` for damaged or hostile files.
   *
   * @throws ReadingFailed for a reason that is not in the file, the reason of `signal`, or what `open` throws
   */
  abstract render(request: PreviewRequest, signal?: AbortSignal): Promise<Preview>;
}
