import { createHash } from 'node:crypto';
import { type Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { normalizeText } from '../../common/text.js';

/** One folder as it is to be filed. */
export interface SourceFolder {
  /** Number of its file: the same in every run. */
  readonly number: string;
  readonly name: string;
  readonly documents: readonly SourceDocument[];
  /** What could not be read, or is nothing to file. */
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[];
}

export interface SourceDocument {
  readonly path: string;
  /** Path within the folder; the document's title. */
  readonly title: string;
}

const MAX_NUMBER = 64;
const MAX_TITLE = 200;

/** Reads what is to be filed; a folder that cannot be read is noted, not fatal. */
export async function readFolders(root: string): Promise<SourceFolder[]> {
  const rootName = normalizeText(path.basename(root)) || 'import';
  const entries = await readdir(root, { withFileTypes: true });
  const folders: SourceFolder[] = [];
  const loose = await collect(
    root,
    entries.filter((entry) => !entry.isDirectory()),
  );
  if (loose.documents.length + loose.unreadable.length > 0) {
    folders.push({ number: shorten(rootName, MAX_NUMBER), name: shorten(rootName, MAX_TITLE), ...loose });
  }
  for (const entry of entries.filter((candidate) => candidate.isDirectory()).sort(byName)) {
    const folder = path.join(root, entry.name);
    const name = normalizeText(entry.name) || entry.name;
    folders.push({
      number: shorten(`${rootName}/${name}`, MAX_NUMBER),
      name: shorten(name, MAX_TITLE),
      ...(await collectFolder(folder)),
    });
  }
  return folders;
}

type Contents = Pick<SourceFolder, 'documents' | 'unreadable'>;

async function collectFolder(folder: string): Promise<Contents> {
  try {
    return await collect(folder, await readdir(folder, { withFileTypes: true }));
  } catch (error) {
    return { documents: [], unreadable: [{ path: folder, reason: (error as Error).message }] };
  }
}

async function collect(folder: string, entries: readonly Dirent[], prefix = ''): Promise<Contents> {
  const documents: SourceDocument[] = [];
  const unreadable: { path: string; reason: string }[] = [];
  for (const entry of [...entries].sort(byName)) {
    const file = path.join(folder, entry.name);
    if (entry.isFile()) {
      documents.push({ path: file, title: shorten(normalizeText(`${prefix}${entry.name}`), MAX_TITLE) });
    } else if (entry.isDirectory()) {
      try {
        const inner = await collect(
          file,
          await readdir(file, { withFileTypes: true }),
          `${prefix}${entry.name}/`,
        );
        documents.push(...inner.documents);
        unreadable.push(...inner.unreadable);
      } catch (error) {
        unreadable.push({ path: file, reason: (error as Error).message });
      }
    } else {
      unreadable.push({ path: file, reason: 'neither a file nor a folder' });
    }
  }
  return { documents, unreadable };
}

/** Cuts to `length` code points; what is cut off leaves a hash, so that two long names stay two. */
function shorten(text: string, length: number): string {
  // A control character of a file name is no character of a title.

  const characters = [...text.toWellFormed().replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd')];
  if (characters.length <= length) return characters.join('');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
  return `${characters.slice(0, length - 9).join('')}~${hash}`;
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
}
