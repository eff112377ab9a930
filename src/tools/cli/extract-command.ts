import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadConfiguration } from '../../platform/config/configuration.js';
import { ConvertingExtractor } from '../../platform/extraction/conversion/converting-extractor.js';
import { findConverter } from '../../platform/extraction/conversion/find-converter.js';
import { EXTRACTION_LIMITS } from '../../platform/extraction/extraction-limits.js';
import { ExtractorPool } from '../../platform/extraction/extractor-pool.js';
import { type Extraction, type Extractor, ReadingFailed } from '../../platform/extraction/extractor.js';
import { UNKNOWN_METADATA } from '../../platform/extraction/messages.js';
import { findOcr } from '../../platform/extraction/tesseract.js';
import { SILENT } from '../../platform/logging/log.js';
import { type Arguments, UsageError, command } from './command.js';

export const EXTRACT = command({
  summary:
    'Prints what the service extracts from files, with the limits of the service, the configured OCR and converter.',
  usage: ['npm run --silent extract -- [options] <file…>'],
  operand: { name: 'file', many: true },
  options: { text: { type: 'boolean', help: 'Also prints the text of each file.' } },
  details: `Prints a header and a line for each file, with the columns separated by tabs: path, media type, pages, pixels, words
of text, milliseconds, failure. Reads the environment variables OCR, OCR_LANGUAGES and CONVERTER
(docs/configuration.md).`,
  examples: [
    'npm run --silent extract -- scan.pdf letter.docx',
    'OCR=tesseract npm run --silent extract -- --text scan.pdf',
  ],
});

const COLUMNS = ['file', 'media type', 'pages', 'pixels', 'words', 'ms', 'failure'];

/** @param print called with complete lines, as soon as a file is read */
export async function extractCommand(
  { values, operands: files }: Arguments<typeof EXTRACT>,
  environment: NodeJS.ProcessEnv,
  print: (text: string) => void,
): Promise<void> {
  for (const file of files) {
    if (!(await stat(file).catch(() => null))?.isFile()) throw new UsageError(`${file} is not a file.`);
  }
  const configuration = loadConfiguration(environment);
  const ocr = await findOcr(configuration);
  const converter = await findConverter(configuration, environment, SILENT);
  const pool = new ExtractorPool({ processes: 1, limits: EXTRACTION_LIMITS, ocr });
  const extractor = converter ? new ConvertingExtractor(pool, converter, tmpdir()) : pool;
  try {
    print(`${COLUMNS.join('\t')}\n`);
    for (const file of files) print(await lineOf(file, extractor, values.text === true));
  } finally {
    pool.onApplicationShutdown();
  }
}

type Found = Omit<Extraction, 'failure' | 'recognisedPages'> & { readonly failure: string | null };

async function read(file: string, extractor: Extractor): Promise<Found> {
  try {
    return await extractor.extract({
      path: file,
      owner: 'command line',
      fileName: path.basename(file),
      claimedType: 'application/octet-stream',
    });
  } catch (error) {
    if (!(error instanceof ReadingFailed)) throw error;
    const failure = `Unreadable: ${error.message.replaceAll(/\s+/g, ' ')}`;
    return { ...(error.metadata ?? UNKNOWN_METADATA), text: null, failure };
  }
}

/** Exported for its test. Reads one file and returns its line of the output. */
export async function lineOf(file: string, extractor: Extractor, withText: boolean): Promise<string> {
  const begin = performance.now();
  const { mediaType, pageCount, image, text, failure } = await read(file, extractor);
  const columns = [
    file,
    mediaType,
    pageCount ?? '–',
    image ? `${image.width}×${image.height}` : '–',
    text?.match(/[\p{L}\p{N}]+/gu)?.length ?? 0,
    Math.round(performance.now() - begin),
    failure ?? '–',
  ];
  return `${columns.join('\t')}\n${withText && text !== null ? `\n${text}\n\n` : ''}`;
}
