import { createHash } from 'node:crypto';
import { extension } from 'mime-types';
import { nameKey } from '../../../common/text.js';

/** In code points. */
const MAX_LENGTH = 80;
/** File systems allow 255 bytes. A suffix and an extension need some of them. */
const MAX_BYTES = 200;
/**
 * Characters that Windows or Unix refuses in names; `%`, which BagIt encodes; and what is not seen: controls, marks of
 * direction, line separators.
 */
const REFUSED = /[<>:"/\\|?*%\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u00ad\u2060-\u206f\ufeff\ufff0-\uffff]/gu;
/** Names of devices on Windows, also with an extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?=$|[. ])/i;
const EXTENSION = /\.([A-Za-z0-9]{1,10})$/;

/** A name for a file or folder that Windows, macOS and Linux accept. It can be one that another file has. */
export function safeName(text: string): string {
  const cleaned = text.toWellFormed().normalize('NFC').replace(REFUSED, '_').trim();
  let name = '';
  let length = 0;
  for (const character of cleaned) {
    if (length === MAX_LENGTH || Buffer.byteLength(name + character) > MAX_BYTES) break;
    name += character;
    length += 1;
  }
  // Windows removes dots and spaces at the end; Unix hides names with a dot at the beginning.
  name = name.replace(/[. ]+$/, '').replace(/^\./, '_');
  return name === '' || DEVICE.test(name) ? `_${name}` : name;
}

/** The extension of a content with its dot: that of its file name, or else of its media type. */
export function extensionOf({ fileName, mediaType }: ContentName): string {
  const [, own] = EXTENSION.exec(fileName ?? '') ?? [];
  const known = own ?? extension(mediaType);
  return known ? `.${known}` : '';
}

interface ContentName {
  readonly fileName: string | null;
  readonly mediaType: string;
}

/** The title without an extension that the name of the content repeats. */
export function stemOf(title: string, ending: string): string {
  const hasEnding = ending !== '' && title.toLowerCase().endsWith(ending.toLowerCase());
  return safeName(hasEnding ? title.slice(0, -ending.length) : title);
}

/** Gives paths that are unique without regard to case and to the form of characters. */
export class PackagePaths {
  /** Hashes, because the paths of 250,000 contents need several times the memory. */
  private readonly taken = new Set<string>();

  /** @param reserved paths that are in use */
  constructor(reserved: readonly string[]) {
    for (const path of reserved) this.take(path);
  }

  /** `<folder>/<stem><ending>`, or with ` (2)`, ` (3)` … after the stem. */
  unique(folder: string, stem: string, ending = ''): string {
    for (let number = 1; ; number += 1) {
      const path = `${folder}/${stem}${number === 1 ? '' : ` (${number})`}${ending}`;
      if (this.take(path)) return path;
    }
  }

  private take(path: string): boolean {
    const key = createHash('sha256').update(nameKey(path)).digest('base64').slice(0, 16);
    if (this.taken.has(key)) return false;
    this.taken.add(key);
    return true;
  }
}
