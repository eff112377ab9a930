import { type Source } from '../source.js';
import { ZipContainer } from './zip-container.js';

/** Parts of a package, and what it is when it has one of them (ECMA-376, part 1). */
const MAIN_PARTS: readonly (readonly [part: RegExp, mediaType: string])[] = [
  [/^word\/document\d*\.xml$/, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  [/^xl\/workbook\d*\.xml$/, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  [
    /^ppt\/presentation\d*\.xml$/,
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ],
];

/** For Office files whose parts are in an order that is not recognised at first sight. */
export async function officeTypeOf(source: Source): Promise<string | null> {
  try {
    const zip = await ZipContainer.open(source, 1024 * 1024);
    if (zip.has('mimetype')) {
      const mediaType = (await zip.text('mimetype', 200)).trim();
      if (/^application\/vnd\.oasis\.opendocument\.[a-z-]+$/.test(mediaType)) return mediaType;
    }
    if (!zip.has('[Content_Types].xml')) return null;
    return MAIN_PARTS.find(([part]) => zip.names.some((name) => part.test(name)))?.[1] ?? null;
  } catch {
    // A damaged archive is an archive.
    return null;
  }
}
