import { type Source } from '../source.js';
import { ZipContainer } from './zip-container.js';

/** Main parts of the Office formats (ECMA-376, part 1) and their media types. */
const MAIN_PARTS: readonly (readonly [part: RegExp, mediaType: string])[] = [
  [/^word\/document\d*\.xml$/, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  [/^xl\/workbook\d*\.xml$/, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  [
    /^ppt\/presentation\d*\.xml$/,
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ],
];

/** The media type of an Office file, whatever the order of its parts is; null for any other ZIP file. */
export async function officeTypeOf(source: Source): Promise<string | null> {
  try {
    const zip = await ZipContainer.open(source, { remaining: 1024 * 1024 });
    if (zip.has('mimetype')) {
      const mediaType = (await zip.text('mimetype', 200)).trim();
      if (/^application\/vnd\.oasis\.opendocument\.[a-z-]+$/.test(mediaType)) return mediaType;
    }
    if (!zip.has('[Content_Types].xml')) return null;
    return MAIN_PARTS.find(([part]) => zip.names.some((name) => part.test(name)))?.[1] ?? null;
  } catch {
    // A damaged file counts as an ordinary ZIP file.
    return null;
  }
}
