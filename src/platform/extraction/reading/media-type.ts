import { fileTypeFromBlob, supportedMimeTypes } from 'file-type';
import { compoundFileEntries } from './compound-file.js';
import { detectEncoding, detectUtf16, encodingOfByteOrderMark } from './decode-text.js';
import { officeTypeOf } from './office/office-type.js';
import { type Source } from './source.js';
import { type Hints, hintedTypes, textMediaType } from './text-media-type.js';

interface DetectedType {
  readonly mediaType: string;
  /** The container is one that says so before anything can be read. */
  readonly encrypted: boolean;
}

const SAMPLE = 64 * 1024;
const OCTET_STREAM = 'application/octet-stream';

/** Formats that are text by themselves. Every other has zeros or controls near its start. */
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

/** Streams of a compound file that tell what it is. */
const COMPOUND_TYPES: readonly (readonly [stream: string, mediaType: string])[] = [
  ['WordDocument', 'application/msword'],
  ['Workbook', 'application/vnd.ms-excel'],
  ['Book', 'application/vnd.ms-excel'],
  ['PowerPoint Document', 'application/vnd.ms-powerpoint'],
  ['__properties_version1.0', 'application/vnd.ms-outlook'],
];

/** For files that are cut off before the library can make sure of them. */
const SIGNATURES: readonly (readonly [start: string, mediaType: string])[] = [
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['II*\0', 'image/tiff'],
  ['MM\0*', 'image/tiff'],
  ['PK\x03\x04', 'application/zip'],
];

/** What bytes can tell and would have told: a claim of one of these, against the bytes, is wrong. */
const DETECTABLE_TYPES: ReadonlySet<string> = new Set([
  ...supportedMimeTypes,
  ...COMPOUND_TYPES.map(([, mediaType]) => mediaType),
  OCTET_STREAM,
]);
/** Whatever is text, or might be shown or run as such, is none that has just been found to be binary. */
const NEVER_BINARY = /^(?:text|image|message|multipart)\/|(?:xml|json|html|javascript|ecmascript)$/;

/** What a file is, by its bytes; the client's name and claim decide only where bytes cannot. */
export async function detectMediaType(source: Source, hints: Hints): Promise<DetectedType> {
  const sample = await source.read(0, SAMPLE);
  const isText =
    encodingOfByteOrderMark(sample) !== null || detectUtf16(sample) !== null || looksLikeText(sample);
  const byMagic = (await typeByMagicNumber(source)) ?? bySignature(sample);
  // Two letters are a signature, too ("BM" of bitmaps), and words begin with them.
  const binary = byMagic !== undefined && !(isText && !TEXT_FORMATS.has(byMagic)) ? byMagic : undefined;
  if (binary === 'application/x-cfb' || binary === 'application/vnd.ms-outlook')
    return detectCompoundFile(source, hints);
  if (binary === 'application/zip') return unencrypted((await officeTypeOf(source)) ?? binary);
  if (binary !== undefined && binary !== 'application/xml') return unencrypted(binary);
  if (isText) {
    const text = new TextDecoder(detectEncoding(sample)).decode(sample);
    return unencrypted(textMediaType(text, source.size <= SAMPLE, hints));
  }
  if (await isPdfAfterOtherBytes(source, sample)) return unencrypted('application/pdf');
  const believable = hintedTypes(hints).find(
    (type) => !DETECTABLE_TYPES.has(type) && !NEVER_BINARY.test(type),
  );
  return unencrypted(believable ?? OCTET_STREAM);
}

const unencrypted = (mediaType: string): DetectedType => ({ mediaType, encrypted: false });

async function typeByMagicNumber(source: Source): Promise<string | undefined> {
  try {
    const found = await fileTypeFromBlob(blobOf(source));
    return found?.mime.split(';')[0]?.toLowerCase();
  } catch {
    // What it stumbles over is no file of the format that it took it for.
    return undefined;
  }
}

/** As much of a Blob as the library uses. */
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
 * No zeros, and hardly a control: tabs, line ends, form feeds and escapes (ISO 2022) are part of texts, others are there
 * by mistake. In compressed data every eighth byte is one.
 */
function looksLikeText(sample: Buffer): boolean {
  if (sample.includes(0)) return false;
  const controls = sample.toString('latin1').match(/[\x01-\x08\x0b\x0e-\x1a\x1c-\x1f]/g)?.length ?? 0;
  return controls * 200 <= sample.length;
}

async function detectCompoundFile(source: Source, hints: Hints): Promise<DetectedType> {
  const entries = await compoundFileEntries(source);
  // [MS-OFFCRYPTO] 2.3: the bytes do not tell what is inside.
  if (entries.has('EncryptedPackage')) {
    const office = hintedTypes(hints).find((type) => type.startsWith('application/vnd.openxmlformats-'));
    return { mediaType: office ?? 'application/x-cfb', encrypted: true };
  }
  const found = COMPOUND_TYPES.find(([stream]) => entries.has(stream));
  return unencrypted(found?.[1] ?? 'application/x-cfb');
}

/** Readers accept a header within the first KiB (ISO 32000-1, annex H, note 13), and so do people's printers. */
async function isPdfAfterOtherBytes(source: Source, sample: Buffer): Promise<boolean> {
  if (!/%PDF-\d\.\d/.test(sample.subarray(0, 1024).toString('latin1'))) return false;
  const end = await source.read(Math.max(0, source.size - 2048), 2048);
  return end.includes('startxref');
}
