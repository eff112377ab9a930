import { fileTypeFromBlob, supportedMimeTypes } from 'file-type';
import { lookup } from 'mime-types';
import { CMS_TYPE, cmsKind, decodeCms } from './cms.js';
import { CompoundFile } from './compound-file.js';
import { decodeDetected, detectWideEncoding, encodingOfByteOrderMark } from './decode-text.js';
import { type Source, SourceSlice } from './source.js';
import { type Hints, hintedTypes, textMediaType } from './text-media-type.js';
import { TNEF_TYPE } from './tnef.js';
import { ZipContainer } from './office/zip-container.js';

/** Main parts of the Office formats (ECMA-376, part 1) and their extensions. */
const MAIN_PARTS: readonly (readonly [part: RegExp, extension: string])[] = [
  [/^word\/document\d*\.xml$/, 'docx'],
  [/^xl\/workbook\d*\.xml$/, 'xlsx'],
  [/^ppt\/presentation\d*\.xml$/, 'pptx'],
];

/** The media type of an Office file, whatever the order of its parts is; null for any other ZIP file. */
async function officeTypeOf(source: Source): Promise<string | null> {
  try {
    const zip = await ZipContainer.open(source, { remaining: 1024 * 1024 });
    if (zip.has('mimetype')) {
      const mediaType = (await zip.text('mimetype', 200)).trim();
      if (/^application\/vnd\.oasis\.opendocument\.[a-z-]+$/.test(mediaType)) return mediaType;
    }
    if (!zip.has('[Content_Types].xml')) return null;
    const [, extension = ''] = MAIN_PARTS.find(([part]) => zip.names.some((name) => part.test(name))) ?? [];
    return lookup(extension) || null;
  } catch {
    // A damaged file counts as an ordinary ZIP file.
    return null;
  }
}

const WORKBOOK_START = 0x0809;
const FILE_PASS = 0x002f;
/** The header token of an encrypted presentation ([MS-PPT] 2.3.2). */
const ENCRYPTED_PRESENTATION = 0xf3d1c4df;

/** Whether a compound file is an encrypted doc ([MS-DOC] 2.5.2), xls ([MS-XLS] 2.4.117) or ppt ([MS-PPT] 2.1.6). */
async function isEncryptedOffice(file: CompoundFile): Promise<boolean> {
  if (file.has('EncryptedSummary')) return true;
  const document = await file.startOf('WordDocument');
  if (document.length >= 12) return (document.readUInt16LE(10) & 0x0100) !== 0;
  const user = await file.startOf('Current User');
  if (user.length >= 16 && user.readUInt32LE(12) === ENCRYPTED_PRESENTATION) return true;
  return isEncryptedWorkbook(await file.startOf(file.has('Workbook') ? 'Workbook' : 'Book'));
}

/** The record that says so is among the first ones; its content is not encrypted. */
function isEncryptedWorkbook(records: Buffer): boolean {
  if (records.length < 4 || records.readUInt16LE(0) !== WORKBOOK_START) return false;
  for (let at = 0; at + 4 <= records.length; at += 4 + records.readUInt16LE(at + 2))
    if (records.readUInt16LE(at) === FILE_PASS) return true;
  return false;
}

interface DetectedType {
  readonly mediaType: string;
  /** Whether the container itself shows that its content is encrypted. */
  readonly encrypted: boolean;
  /** Where the content of this type begins. */
  readonly start: number;
}

const SAMPLE = 64 * 1024;
const OCTET_STREAM = 'application/octet-stream';

/** Text formats with a signature. All other detectable formats have zeros or control characters near their start. */
const TEXT_FORMATS: ReadonlySet<string> = new Set([
  'application/pdf',
  'application/rtf',
  'application/postscript',
  'application/eps',
  'application/xml',
  'application/pgp-encrypted',
  'application/x-ms-regedit',
  'text/calendar',
  'text/vcard',
  'text/vtt',
]);

/** Streams that identify the format of a compound file. */
const COMPOUND_TYPES: readonly (readonly [stream: string, mediaType: string])[] = [
  ['WordDocument', 'application/msword'],
  ['Workbook', 'application/vnd.ms-excel'],
  ['Book', 'application/vnd.ms-excel'],
  ['PowerPoint Document', 'application/vnd.ms-powerpoint'],
  ['__properties_version1.0', 'application/vnd.ms-outlook'],
];

/** Signatures that the library does not know, and those of truncated files, in which it finds too little. */
const SIGNATURES: readonly (readonly [start: string, mediaType: string])[] = [
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['II*\0', 'image/tiff'],
  ['MM\0*', 'image/tiff'],
  ['PK\x03\x04', 'application/zip'],
  ['\x78\x9f\x3e\x22', TNEF_TYPE],
];

/** Types that are detected from bytes. A hint of such a type is wrong if the bytes did not show it. */
const DETECTABLE_TYPES: ReadonlySet<string> = new Set([
  ...supportedMimeTypes,
  ...COMPOUND_TYPES.map(([, mediaType]) => mediaType),
  OCTET_STREAM,
]);
/** Types never used for binary data, whatever the hint: text, and types that browsers display or execute. */
const NEVER_BINARY = /^(?:text|image|message|multipart)\/|(?:xml|json|html|javascript|ecmascript)$/;

/** Detects the media type from the bytes. The client's hints are used only if the bytes do not show it. */
export async function detectMediaType(source: Source, hints: Hints): Promise<DetectedType> {
  const sample = await source.read(0, SAMPLE);
  const isText =
    encodingOfByteOrderMark(sample) !== null || detectWideEncoding(sample) !== null || looksLikeText(sample);
  const cms = cmsKind(decodeCms(sample.subarray(0, 512)));
  if (cms !== null) {
    const hinted = hintedTypes(hints).find((type) => CMS_TYPE.test(type));
    return detected(hinted ?? 'application/pkcs7-mime', cms === 'encrypted');
  }
  const byMagic = (await typeByMagicNumber(source)) ?? bySignature(sample);
  // Some signatures have only two letters ("BM" of bitmaps), so a text may begin with them.
  const binary = byMagic !== undefined && !(isText && !TEXT_FORMATS.has(byMagic)) ? byMagic : undefined;
  if (binary === 'application/x-cfb' || binary === 'application/vnd.ms-outlook')
    return detectCompoundFile(source, hints);
  if (binary === 'application/zip') return detected((await officeTypeOf(source)) ?? binary);
  if (binary !== undefined && binary !== 'application/xml') {
    const start = encodingOfByteOrderMark(sample) === 'utf-8' ? 3 : 0;
    return detected(binary, binary === 'application/pgp-encrypted', start);
  }
  const isAnyText = isText || looksLikeText(withoutSingleZeros(sample));
  const text = isAnyText ? textMediaType(decodeDetected(sample), source.size <= SAMPLE, hints) : null;
  // Other text formats may contain a PDF or RTF, for example a message.
  const later =
    text === null || /^text\/(?!html)/.test(text) ? await typeAfterOtherBytes(source, sample) : null;
  if (later) return later;
  if (text !== null) return detected(text);
  const believable = hintedTypes(hints).find(
    (type) => !DETECTABLE_TYPES.has(type) && !NEVER_BINARY.test(type),
  );
  return detected(believable ?? OCTET_STREAM);
}

function detected(mediaType: string, encrypted = false, start = 0): DetectedType {
  return { mediaType, encrypted, start };
}

async function typeByMagicNumber(source: Source): Promise<string | undefined> {
  try {
    const found = await fileTypeFromBlob(blobOf(source));
    return found?.mime.split(';')[0]?.toLowerCase();
  } catch {
    // The library started to parse a format that the file does not have.
    return undefined;
  }
}

/** Implements the members of Blob that the library uses. */
function blobOf(source: Source): Blob {
  const slice = (start: number, end: number) => ({
    arrayBuffer: async () => Uint8Array.from(await source.read(start, end - start)).buffer,
  });
  return { size: source.size, type: '', slice } as unknown as Blob;
}

function bySignature(sample: Buffer): string | undefined {
  const start = sample.toString('latin1', 0, 8);
  return SIGNATURES.find(([signature]) => start.startsWith(signature))?.[1];
}

/**
 * Whether the sample has no zeros and at most 0.5 % control characters. Tabs, line ends, form feeds and escapes (ISO
 * 2022) do not count. In compressed data every eighth byte is a control character.
 */
function looksLikeText(sample: Buffer): boolean {
  if (sample.includes(0)) return false;
  const controls = sample.toString('latin1').match(/[\x01-\x08\x0b\x0e-\x1a\x1c-\x1f]/g)?.length ?? 0;
  return controls * 200 <= sample.length;
}

/** The sample with spaces for zeros, if it has only a few, as texts from old programs have. */
function withoutSingleZeros(sample: Buffer): Buffer {
  const zeros = sample.filter((byte) => byte === 0).length;
  return zeros === 1 || zeros * 200 <= sample.length
    ? Buffer.from(sample.map((byte) => byte || 0x20))
    : sample;
}

async function detectCompoundFile(source: Source, hints: Hints): Promise<DetectedType> {
  const file = await CompoundFile.open(source);
  // [MS-OFFCRYPTO] 2.3: the format of the encrypted document is not visible.
  if (file.has('EncryptedPackage')) {
    const office = hintedTypes(hints).find((type) => type.startsWith('application/vnd.openxmlformats-'));
    return detected(office ?? 'application/x-cfb', true);
  }
  const found = COMPOUND_TYPES.find(([stream]) => file.has(stream));
  return detected(found?.[1] ?? 'application/x-cfb', await isEncryptedOffice(file));
}

/** Maximum number of bytes before a PDF or RTF: empty lines, the header of an HTTP response, lines for a printer. */
const MAX_BEFORE = 8 * 1024;
/** Formats that may begin later, and what is near their end. In a text they begin a line. */
const LATER_TYPES: readonly (readonly [start: RegExp, end: RegExp, mediaType: string])[] = [
  [/%PDF-\d\.\d/, /startxref|%%EOF|endobj/, 'application/pdf'],
  [/(?<=^\s*)\{\\rtf1/m, /\}[\s\0\x1a]*$/, 'application/rtf'],
];

async function typeAfterOtherBytes(source: Source, sample: Buffer): Promise<DetectedType | null> {
  const start = sample.toString('latin1', 0, MAX_BEFORE);
  const end = (await source.read(Math.max(0, source.size - 2048), 2048)).toString('latin1');
  for (const [first, last, mediaType] of LATER_TYPES) {
    const index = first.exec(start)?.index;
    if (index !== undefined && last.test(end)) return detected(mediaType, false, index);
  }
  return null;
}

/** The content of the detected type, without other bytes before it. */
export function contentOf(source: Source, { start }: DetectedType): Source {
  return start === 0 ? source : new SourceSlice(source, start);
}
