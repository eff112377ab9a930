import { createHash } from 'node:crypto';
import { type Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { normalizeName } from '../../../common/text.js';
import { type SkippedNames } from './skipped-names.js';

/** A folder from which one file is created. */
export interface SourceFolder {
  /** Whether this is the imported folder itself. A file is created for it only if it directly contains documents. */
  readonly isRoot: boolean;
  /** Number of the file; the same in every run. */
  readonly number: string;
  readonly name: string;
  readonly documents: SourceEntry[];
  readonly unreadable: { readonly path: string; readonly reason: string }[];
  /** Paths of symbolic links, which are not followed. */
  readonly links: string[];
}

/** A file, from which a document is created, or a folder in a {@link SourceFolder}. */
export interface SourceEntry {
  /** Path as bytes, which need not be UTF-8. */
  readonly location: Buffer;
  /** Path as text, for messages. */
  readonly path: string;
  /** Path within the source folder, used as the title of the document. */
  readonly title: string;
  /** Whether the name is not UTF-8 and was decoded as Windows-1252. */
  readonly isDecoded: boolean;
}

type Entry = Dirent<Buffer>;

const MAX_NUMBER = 64;
const MAX_TITLE = 200;

/** A subfolder that cannot be read is added to `unreadable`. */
export async function readFolders(root: string, skipped: SkippedNames): Promise<SourceFolder[]> {
  const rootName = normalizeName(path.basename(root)) || 'import';
  const top: SourceEntry = { location: Buffer.from(root), path: root, title: '', isDecoded: false };
  const entries = await entriesOf(top, skipped);
  const isFolder = (entry: Entry) => entry.isDirectory();
  const rootFolder = sourceFolder(true, rootName, rootName);
  await collect(
    rootFolder,
    top,
    entries.filter((entry) => !isFolder(entry)),
    skipped,
  );
  const folders = [rootFolder];
  for (const entry of entries.filter(isFolder)) {
    const place = childOf(top, entry);
    const name = normalizeName(place.title) || place.title;
    const folder = sourceFolder(false, `${rootName}/${name}`, name);
    await collectFolder(folder, { ...place, title: '' }, skipped);
    folders.push(folder);
  }
  return folders;
}

function sourceFolder(isRoot: boolean, longNumber: string, longName: string): SourceFolder {
  const [number, name] = [shorten(longNumber, MAX_NUMBER), shorten(longName, MAX_TITLE)];
  return { isRoot, number, name, documents: [], unreadable: [], links: [] };
}

async function collectFolder(folder: SourceFolder, place: SourceEntry, skipped: SkippedNames): Promise<void> {
  let entries;
  try {
    entries = await entriesOf(place, skipped);
  } catch (error) {
    folder.unreadable.push({ path: place.path, reason: (error as Error).message });
    return;
  }
  await collect(folder, place, entries, skipped);
}

async function collect(
  folder: SourceFolder,
  parent: SourceEntry,
  entries: readonly Entry[],
  skipped: SkippedNames,
): Promise<void> {
  for (const entry of entries) {
    const place = childOf(parent, entry);
    if (entry.isFile()) {
      folder.documents.push({ ...place, title: shorten(normalizeName(place.title), MAX_TITLE) });
    } else if (entry.isDirectory()) {
      await collectFolder(folder, place, skipped);
    } else if (entry.isSymbolicLink()) {
      folder.links.push(place.path);
    } else {
      folder.unreadable.push({ path: place.path, reason: 'neither a file nor a folder' });
    }
  }
}

async function entriesOf({ location }: SourceEntry, skipped: SkippedNames): Promise<Entry[]> {
  const entries = await readdir(location, { withFileTypes: true, encoding: 'buffer' });
  return entries
    .filter(({ name }) => !skipped.has(textOf(name).text))
    .sort((a, b) => Buffer.compare(a.name, b.name));
}

function childOf(parent: SourceEntry, { name }: Entry): SourceEntry {
  const { text, isDecoded } = textOf(name);
  return {
    location: Buffer.concat([parent.location, Buffer.from('/'), name]),
    path: path.join(parent.path, text),
    title: parent.title === '' ? text : `${parent.title}/${text}`,
    isDecoded: parent.isDecoded || isDecoded,
  };
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes names that are not UTF-8 as Windows-1252: they usually come from old Western European disks and archives. */
function textOf(name: Buffer): { text: string; isDecoded: boolean } {
  try {
    return { text: UTF8.decode(name), isDecoded: false };
  } catch {
    // Without `stream: true`, Node 20 decodes Windows-1252 as Latin-1.
    return { text: new TextDecoder('windows-1252').decode(name, { stream: true }), isDecoded: true };
  }
}

/** Truncates to `length` code points and appends a hash, so that different long names remain different. */
function shorten(text: string, length: number): string {
  // Titles may not contain control characters; file names may.
  const characters = [...text.toWellFormed().replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd')];
  if (characters.length <= length) return characters.join('');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
  return `${characters.slice(0, length - 9).join('')}~${hash}`;
}
