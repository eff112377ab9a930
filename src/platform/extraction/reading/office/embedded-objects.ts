import path from 'node:path';
import { Reader } from '@kenjiuno/msgreader/lib/Reader.js';
import { lookup } from 'mime-types';
import { type Attachment } from '../attachments.js';
import { BufferSource } from '../source.js';
import { relatedParts } from './relationships.js';
import { type ZipContainer, type ZipEntry, entryBytes } from './zip-container.js';

const UNKNOWN = 'application/octet-stream';
/** Objects after these are found by neither name nor text. */
const MAX_OBJECTS = 100;
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** The files in an Office Open XML file: imported parts of the text (altChunk), and embedded objects. */
export async function embeddedFiles(zip: ZipContainer): Promise<Attachment[]> {
  const chunks: string[] = [];
  for (const document of zip.matching(/^word\/document\d*\.xml$/))
    chunks.push(...(await relatedParts(zip, document, ['aFChunk'])));
  const entryOf = new Map(zip.entries.map((entry) => [entry.name, entry]));
  const files: Attachment[] = [];
  for (const name of chunks) {
    const entry = entryOf.get(name);
    if (entry) files.push({ ...fileOf(entry), fileName: null, claimedType: lookup(name) || UNKNOWN });
  }
  for (const entry of zip.entries.filter(({ name }) => EMBEDDED.test(name)).slice(0, MAX_OBJECTS))
    files.push(entry.name.endsWith('.bin') ? await objectOf(entry) : fileOf(entry));
  return files;
}

const EMBEDDED = /^(?:word|xl|ppt)\/embeddings\/[^/]+$/;

function fileOf(entry: ZipEntry): Attachment {
  return {
    fileName: path.posix.basename(entry.name),
    claimedType: UNKNOWN,
    open: async () => new BufferSource(await entryBytes(entry)),
  };
}

/** An object whose compound file ([MS-OLEDS] 2.3) may contain the name and the bytes of an ordinary file. */
async function objectOf(entry: ZipEntry): Promise<Attachment> {
  const contained = async () => fileInObject(await entryBytes(entry));
  // Another file, or the limit of bytes: it has the name of its part.
  const found = await contained().catch(() => null);
  if (!found) return fileOf(entry);
  return {
    fileName: found.fileName ?? path.posix.basename(entry.name),
    claimedType: UNKNOWN,
    // Read again, so that the bytes of all objects are not in memory at the same time.
    open: async () => new BufferSource((await contained())?.content ?? Buffer.alloc(0)),
  };
}

function fileInObject(bytes: Buffer): { fileName: string | null; content: Buffer } | null {
  if (!bytes.subarray(0, 8).equals(COMPOUND_FILE)) return null;
  const reader = new Reader(Uint8Array.from(bytes).buffer);
  reader.parse();
  const root = reader.rootFolder();
  const stream = (name: string): Buffer | null => {
    const content = root.fileNames().includes(name) ? root.readFile(name) : null;
    return content && Buffer.from(content);
  };
  const packaged = stream('\x01Ole10Native');
  if (packaged) return packagedFile(packaged);
  const content = stream('Package') ?? stream('CONTENTS');
  return content && { fileName: null, content };
}

/** [MS-OLEDS] 2.3.6 and the native data of the packager: label, paths and content of the file. */
function packagedFile(stream: Buffer): { fileName: string; content: Buffer } {
  let at = 6;
  const text = (): string => {
    const end = stream.indexOf(0, at);
    const found = new TextDecoder('windows-1252').decode(stream.subarray(at, end));
    at = end + 1;
    return found;
  };
  const label = text();
  const file = text();
  // Two unknown numbers, then the length of a path.
  at += 8 + stream.readUInt32LE(at + 4);
  const size = stream.readUInt32LE(at);
  return { fileName: label || path.win32.basename(file), content: stream.subarray(at + 4, at + 4 + size) };
}
