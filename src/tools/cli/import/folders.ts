import { createHash } from 'node:crypto';
import { type Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { normalizeText } from '../../../common/text.js';
import { type SkippedNames } from './skipped-names.js';

/** One folder as it is to be filed. */
export interface SourceFolder {
  /** Is what lies in the folder itself: a file is made of it only when there are documents. */
  readonly isRoot: boolean;
  /** Number of its file: the same in every run. */
  readonly number: string;
  readonly name: string;
  readonly documents: SourceDocument[];
  /** What cannot be read, or cannot be filed. */
  readonly unreadable: { readonly path: string; readonly reason: string }[];
}

export interface SourceDocument {
  /** As the file system has it: bytes that need not be UTF-8. */
  readonly location: Buffer;
  /** The same for people. */
  readonly path: string;
  /** Path within the folder; the document's title. */
  readonly title: string;
  /** The name is not UTF-8, and was read as Windows-1252. */
  readonly isDecoded: boolean;
}

type Entry = Dirent<Buffer>;
/** A folder or file on the way down: where it is, and what it is called from the folder that is filed. */
interface FolderEntry {
  readonly location: Buffer;
  readonly path: string;
  readonly title: string;
  readonly isDecoded: boolean;
}

const MAX_NUMBER = 64;
const MAX_TITLE = 200;

/** Reads what is to be filed; a folder that cannot be read is noted, not fatal. */
export async function readFolders(root: string, skipped: SkippedNames): Promise<SourceFolder[]> {
  const rootName = normalizeText(path.basename(root)) || 'import';
  const top: FolderEntry = { location: Buffer.from(root), path: root, title: '', isDecoded: false };
  const entries = await entriesOf(top, skipped);
  const isFolder = (entry: Entry) => entry.isDirectory();
  const rootFolder = {
    isRoot: true,
    number: shorten(rootName, MAX_NUMBER),
    name: shorten(rootName, MAX_TITLE),
    ...empty(),
  };
  await collect(
    rootFolder,
    top,
    entries.filter((entry) => !isFolder(entry)),
    skipped,
  );
  const folders = [rootFolder];
  for (const entry of entries.filter(isFolder)) {
    const place = childOf(top, entry);
    const name = normalizeText(place.title) || place.title;
    const folder = {
      isRoot: false,
      number: shorten(`${rootName}/${name}`, MAX_NUMBER),
      name: shorten(name, MAX_TITLE),
      ...empty(),
    };
    await collectFolder(folder, { ...place, title: '' }, skipped);
    folders.push(folder);
  }
  return folders;
}

function empty(): Pick<SourceFolder, 'documents' | 'unreadable'> {
  return { documents: [], unreadable: [] };
}

async function collectFolder(folder: SourceFolder, place: FolderEntry, skipped: SkippedNames): Promise<void> {
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
  parent: FolderEntry,
  entries: readonly Entry[],
  skipped: SkippedNames,
): Promise<void> {
  for (const entry of entries) {
    const place = childOf(parent, entry);
    if (entry.isFile()) {
      folder.documents.push({ ...place, title: shorten(normalizeText(place.title), MAX_TITLE) });
    } else if (entry.isDirectory()) {
      await collectFolder(folder, place, skipped);
    } else {
      const reason = entry.isSymbolicLink()
        ? 'a symbolic link, which is not followed'
        : 'neither a file nor a folder';
      folder.unreadable.push({ path: place.path, reason });
    }
  }
}

/** What is in a folder and not skipped, by name. */
async function entriesOf({ location }: FolderEntry, skipped: SkippedNames): Promise<Entry[]> {
  const entries = await readdir(location, { withFileTypes: true, encoding: 'buffer' });
  return entries
    .filter(({ name }) => !skipped.has(textOf(name).text))
    .sort((a, b) => Buffer.compare(a.name, b.name));
}

function childOf(parent: FolderEntry, { name }: Entry): FolderEntry {
  const { text, isDecoded } = textOf(name);
  return {
    location: Buffer.concat([parent.location, Buffer.from('/'), name]),
    path: path.join(parent.path, text),
    title: parent.title === '' ? text : `${parent.title}/${text}`,
    isDecoded: parent.isDecoded || isDecoded,
  };
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Names that are not UTF-8 come from old disks and archives: of Windows, in the west of Europe. */
function textOf(name: Buffer): { text: string; isDecoded: boolean } {
  try {
    return { text: UTF8.decode(name), isDecoded: false };
  } catch {
    // Where it is not told of a stream, Node 20 takes Windows-1252 for Latin-1.
    return { text: new TextDecoder('windows-1252').decode(name, { stream: true }), isDecoded: true };
  }
}

/** Cuts to `length` code points; what is cut off leaves a hash, so that two long names stay two. */
function shorten(text: string, length: number): string {
  // A control character of a file name is no character of a title.
  const characters = [...text.toWellFormed().replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd')];
  if (characters.length <= length) return characters.join('');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
  return `${characters.slice(0, length - 9).join('')}~${hash}`;
}
