import { type Readable } from 'node:stream';
import { type ExtractionFailure } from './extractor.js';

/** Images whose pages can be rendered. Never formats with scripts or references, such as SVG. */
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

/** Texts whose beginning can be drawn. Without names and claimed types, all of them are plain text. */
const TEXT_TYPES: ReadonlySet<string> = new Set([
  'text/plain',
  'text/csv',
  'text/tab-separated-values',
  'text/markdown',
]);

export function isText(mediaType: string): boolean {
  return TEXT_TYPES.has(mediaType);
}

/** Whether pages can be rendered without a converter. */
export function hasPreview(mediaType: string): boolean {
  return mediaType === 'application/pdf' || IMAGE_TYPES.has(mediaType) || isText(mediaType);
}

/** The exact number of pages, if it is known. Office files only contain a number that another program has counted. */
export function knownPages(mediaType: string, stored: number | null): number | null {
  if (mediaType === 'application/pdf' || mediaType === 'image/tiff') return stored;
  return IMAGE_TYPES.has(mediaType) || isText(mediaType) ? 1 : null;
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

export interface PreviewedFile {
  /** A process reads only files of one owner. */
  readonly owner: string;
  readonly sha256: string;
  /** As detected when the file was read. */
  readonly mediaType: string;
}

export interface PreviewRequest extends PreviewSize, PreviewedFile {
  /** Size of the file in bytes. */
  readonly size: number;
  /** Opens the file; called for each attempt. */
  readonly open: () => Promise<Readable>;
  /** Whether previews of other files wait for this one. Default: none. */
  readonly othersWait?: () => boolean;
}

/** `Unsupported`: the format has no preview. `WithoutPage`: the file has fewer pages. */
export type PreviewFailure = ExtractionFailure | 'Unsupported' | 'WithoutPage';

interface RenderedFile {
  /** Number of pages of the file; null if the attempt did not show it. */
  readonly pages: number | null;
}

export type Preview = RenderedFile &
  (
    | {
        /** A WebP file. */
        readonly image: Buffer;
        readonly failure: null;
        /** Whether a reader can read its text (docs/adr/0045). */
        readonly isLegible: boolean;
      }
    | { readonly image: null; readonly failure: Exclude<PreviewFailure, 'Unsupported'> }
    /** With the media type that the bytes show. */
    | { readonly image: null; readonly failure: 'Unsupported'; readonly mediaType: string }
  );

/** `ProgramMissing`: this machine lacks a program or package for it. */
export type PreviewSupport = 'Supported' | 'Unsupported' | 'ProgramMissing';

/** Renders pages of files as pictures (docs/adr/0045). */
export abstract class Previewer {
  /** Changes when the same file can give other pages or failures. */
  abstract readonly version: string;

  /** Whether pages of files of this media type can be rendered. */
  abstract supportFor(mediaType: string): Promise<PreviewSupport>;

  /** Whether `render` converts the file first, if it is what the media type says. */
  abstract converts(file: PreviewedFile): boolean;

  /**
   * Resolves with a `failure` for damaged or hostile files.
   *
   * @throws ReadingFailed for a reason that is not in the file, the reason of `signal`, or what `open` throws
   */
  abstract render(request: PreviewRequest, signal?: AbortSignal): Promise<Preview>;
}
