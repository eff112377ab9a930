import path from 'node:path';
import { Reader } from '@kenjiuno/msgreader/lib/Reader.js';
import { lookup } from 'mime-types';
import { type Attachment, attachmentOf } from '../attachments.js';
import { parseXml } from '../markup.js';
import { type TextOutput } from '../text-output.js';
import { ParagraphText } from './paragraph-text.js';
import { type ZipContainer, type ZipEntry, entryBytes } from './zip-container.js';

/** Number of pages as stored by the program that wrote the file (docProps/app.xml); NaN if it is not there. */
export async function wordPages(zip: ZipContainer): Promise<number> {
  const properties = await zip.text('docProps/app.xml');
  return Number(/<(?:\w+:)?Pages>\s*(\d{1,9})\s*</.exec(properties)?.[1]);
}

/**
 * Adds the text of an Office Open XML document (ECMA-376): the body, then headers, footers, notes, comments, charts and
 * SmartArt.
 */
export async function readWordDocument(zip: ZipContainer, output: TextOutput): Promise<void> {
  const parts = [
    ...zip.matching(/^word\/document\d*\.xml$/),
    ...zip.matching(/^word\/(?:header|footer)\d*\.xml$/),
    ...zip.matching(/^word\/(?:footnotes|endnotes|comments)\.xml$/),
    ...zip.matching(/^word\/(?:charts\/chart(?:Ex)?|diagrams\/data)\d*\.xml$/),
  ];
  for (const part of parts) {
    if (output.full) return;
    await readDrawingText(zip, part, output);
    output.add('\n\n');
  }
}

const SLIDES = /^ppt\/slides\/slide\d+\.xml$/;

export function slideCount(zip: ZipContainer): number | null {
  return zip.matching(SLIDES).length || null;
}

/** Types of parts that belong to a slide. */
const OF_SLIDE = ['diagramData', 'chart', 'chartEx', 'comments'];

/**
 * Adds the text of an Office Open XML presentation (ECMA-376): each slide as a page, with its SmartArt, charts and
 * comments, then a page with all notes.
 */
export async function readPresentation(zip: ZipContainer, output: TextOutput): Promise<void> {
  for (const [index, part] of zip.matching(SLIDES).entries()) {
    if (output.full) return;
    if (index > 0) output.newPage();
    for (const piece of [part, ...(await relatedParts(zip, part, OF_SLIDE))]) {
      await readDrawingText(zip, piece, output);
      output.add('\n');
    }
  }
  for (const [index, part] of zip.matching(/^ppt\/notesSlides\/notesSlide\d+\.xml$/).entries()) {
    if (output.full) return;
    if (index === 0) output.newPage();
    await readDrawingText(zip, part, output);
    output.add('\n\n');
  }
}

/** Runs (w:t, a:t), comments (p:text), and names of categories and series in charts (c:strCache, cx:lvl). */
const TEXTS = new Set(['t', 'text', 'strCache', 'lvl']);
/** Their parts of a line. */
const LINES = new Set(['text', 'pt']);
/**
 * Deleted text (tracked changes), field codes, alternative content for older programs (ECMA-376, part 3), and numbers in
 * charts.
 */
const SKIPPED = new Set(['delText', 'instrText', 'Fallback', 'numDim']);
/** Text boxes, and annotations of pronunciation. */
const ASIDES = new Set(['txbxContent', 'rt']);

/** Adds paragraphs and runs. They have the same local names in documents and drawings (w:p, w:t; a:p, a:t). */
export async function readDrawingText(zip: ZipContainer, part: string, output: TextOutput): Promise<void> {
  const paragraphs = new ParagraphText(output);
  let inText = 0;
  let skipped = 0;
  await parseXml(zip.read(part), {
    open(name) {
      if (SKIPPED.has(name)) skipped += 1;
      else if (TEXTS.has(name)) inText += 1;
      else if (skipped > 0) return;
      else if (name === 'p') paragraphs.openParagraph();
      else if (ASIDES.has(name)) paragraphs.openAside();
      else if (name === 'tab') paragraphs.add('\t');
      else if (name === 'br' || name === 'cr') paragraphs.add('\n');
      else if (name === 'noBreakHyphen') paragraphs.add('-');
    },
    text(text) {
      if (inText > 0 && skipped === 0) paragraphs.add(text);
    },
    close(name) {
      if (SKIPPED.has(name)) skipped -= 1;
      if (TEXTS.has(name)) inText -= 1;
      if (skipped > 0) return;
      if (name === 'p') paragraphs.closeParagraph();
      else if (ASIDES.has(name)) paragraphs.closeAside();
      else if (LINES.has(name)) paragraphs.add('\n');
    },
    get done() {
      return paragraphs.full;
    },
  });
}

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
    if (entry) files.push(attachmentOf(null, () => entryBytes(entry), lookup(name) || undefined));
  }
  for (const entry of zip.entries.filter(({ name }) => EMBEDDED.test(name)).slice(0, MAX_OBJECTS))
    files.push(entry.name.endsWith('.bin') ? await objectOf(entry) : fileOf(entry));
  return files;
}

const EMBEDDED = /^(?:word|xl|ppt)\/embeddings\/[^/]+$/;

function fileOf(entry: ZipEntry): Attachment {
  return attachmentOf(path.posix.basename(entry.name), () => entryBytes(entry));
}

/** An object whose compound file ([MS-OLEDS] 2.3) may contain the name and the bytes of an ordinary file. */
async function objectOf(entry: ZipEntry): Promise<Attachment> {
  const contained = async () => fileInObject(await entryBytes(entry));
  // Another file, or the limit of bytes: it has the name of its part.
  const found = await contained().catch(() => null);
  if (!found) return fileOf(entry);
  // Read again, so that the bytes of all objects are not in memory at the same time.
  const content = async () => (await contained())?.content ?? Buffer.alloc(0);
  return attachmentOf(found.fileName ?? path.posix.basename(entry.name), content);
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

/**
 * The parts to which a part refers (ECMA-376, part 2, 9.3), in the order of the file.
 *
 * @param types the ends of the relationship types
 */
async function relatedParts(zip: ZipContainer, part: string, types: readonly string[]): Promise<string[]> {
  const { dir, base } = path.posix.parse(part);
  const parts: string[] = [];
  await parseXml(zip.read(`${dir}/_rels/${base}.rels`), {
    open(_, { Type: type = '', Target: target, TargetMode: mode }) {
      if (target === undefined || mode === 'External' || !types.includes(type.replace(/^.*\//, ''))) return;
      parts.push(target.startsWith('/') ? target.slice(1) : path.posix.join(dir, target));
    },
  });
  return parts.filter((name) => zip.has(name));
}
