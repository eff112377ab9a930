import { type PDFDocumentProxy } from 'pdfjs-dist';
import { officeFormat } from '../conversion/office-formats.js';
import { type ExtractionLimits } from '../extraction-limits.js';
import { type Extraction, type ExtractionFailure, type FileMetadata } from '../extractor.js';
import { UNKNOWN_METADATA } from '../messages.js';
import { type Attachment, archivedFiles } from './attachments.js';
import { CMS_TYPE, fileInSignedFile } from './cms.js';
import { messagesIn, readEmail } from './email.js';
import { ExtractionError, failureOf } from './extraction-error.js';
import { TYPES_WITH_DIMENSIONS, readDimensions, readTiff } from './image.js';
import { readHtml, readXml } from './markup.js';
import { contentOf, detectMediaType } from './media-type.js';
import { Ocr } from './ocr/ocr.js';
import { MAX_PDF_IMAGE } from './ocr/page-image.js';
import { readEpub } from './office/epub.js';
import { checkEncryption, openDocumentPages, readOpenDocument } from './office/open-document.js';
import {
  embeddedFiles,
  readPresentation,
  readWordDocument,
  slideCount,
  wordPages,
} from './office/open-xml.js';
import { readWorkbook } from './office/workbook.js';
import { type DecompressionBudget, ZipContainer } from './office/zip-container.js';
import { readOutlookMessage } from './outlook-message.js';
import { type PdfPage, attachedFiles, openPdf, readPdf } from './pdf.js';
import { readContentLines, readPlainText } from './plain-text.js';
import { readRtf } from './rtf.js';
import { type Source, SourceReadError } from './source.js';
import { type Hints, MAILBOX_TYPE, charsetOf } from './text-media-type.js';
import { TextOutput, type TextReceiver } from './text-output.js';
import { TNEF_TYPE, readTnef } from './tnef.js';

/** Maximum nesting depth of messages and archives in each other. */
const MAX_DEPTH = 5;
/** Maximum number of attachments of a message whose contents are read. The names of all are added. */
const MAX_READ_ATTACHMENTS = 100;
/** The same of a ZIP archive. */
const MAX_READ_ENTRIES = 1000;

/**
 * Reads one file.
 *
 * @param ocr languages of OCR; null without it
 * @param onMetadata called with all known metadata whenever more is found; the last value is used if the reading is
 *   ended early
 * @param receiver gets the text when all of it is read, or before images are recognised; none if it fails before
 * @throws SourceReadError or another error that was not caused by the file
 */
export async function read(
  source: Source,
  hints: Hints,
  limits: ExtractionLimits,
  ocr: string | null,
  onMetadata: (metadata: FileMetadata) => void,
  receiver: TextReceiver,
): Promise<{ extraction: Omit<Extraction, 'text' | 'recognisedPages'>; detail: string | null }> {
  const output = new TextOutput(limits.text, receiver);
  const recognition = ocr === null ? null : new Ocr(ocr, limits);
  const reader = new FileReader(output, limits, recognition);
  let metadata = UNKNOWN_METADATA;
  let failure: ExtractionFailure | null = null;
  let detail: string | null = null;
  try {
    await reader.read(source, hints, 0, (more) => {
      metadata = { ...metadata, ...more };
      onMetadata(metadata);
    });
    output.flush();
    if (recognition?.tesseract.wasCutOff && output.isEmpty)
      throw new ExtractionError('TimeLimitExceeded', 'OCR has read nothing');
  } catch (error) {
    failure = failureOf(error);
    detail = String(error);
  }
  return { extraction: { ...metadata, failure }, detail };
}

type UpdateMetadata = (more: Partial<FileMetadata>) => void;

/** Calls the reader for the format of a file. Other formats have no text; that is not a failure. */
class FileReader {
  readonly #budget: DecompressionBudget;

  constructor(
    private readonly output: TextOutput,
    private readonly limits: ExtractionLimits,
    private readonly ocr: Ocr | null,
  ) {
    this.#budget = { remaining: limits.decompressed };
  }

  /** @throws ExtractionError, SourceReadError, or any error of a library about a damaged file (see failureOf) */
  async read(whole: Source, hints: Hints, depth: number, learn: UpdateMetadata): Promise<void> {
    const detected = await detectMediaType(whole, hints);
    const { mediaType, encrypted } = detected;
    learn({ mediaType });
    if (encrypted) throw new ExtractionError('Encrypted', mediaType);
    const source = contentOf(whole, detected);
    const { output } = this;
    const charset = charsetOf(hints);
    if (mediaType === 'application/pdf') return this.#readPdf(source, depth, learn);
    if (mediaType.startsWith('image/') && mediaType !== 'image/svg+xml')
      return this.#readImage(mediaType, source, learn);
    if (
      /^application\/vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-\w+\.\w+\.macroenabled)/.test(
        mediaType,
      )
    )
      return this.#readOffice(mediaType, source, depth, learn);
    // Libraries for messages need about ten times the size of a message in memory.
    const messageLimit = Math.floor(this.limits.memory / 10);
    if (mediaType === MAILBOX_TYPE || mediaType === 'message/rfc822') {
      const messages = await messagesIn(source, mediaType);
      const [first = source] = messages;
      // The failure of a single message is that of the file.
      if (messages.length === 1)
        return this.#addAttachments(await readEmail(first, output, messageLimit), depth);
      const claimedType = 'message/rfc822';
      const files = messages.map((message) => ({ fileName: null, claimedType, open: async () => message }));
      return this.#addAttachments(files, depth, files.length);
    }
    if (mediaType === 'application/vnd.ms-outlook')
      return this.#addAttachments(await readOutlookMessage(source, output, messageLimit), depth);
    if (mediaType === TNEF_TYPE)
      return this.#addAttachments(await readTnef(source, output, messageLimit), depth);
    if (CMS_TYPE.test(mediaType)) {
      const file = await fileInSignedFile(source, hints.fileName, messageLimit);
      if (file && depth < MAX_DEPTH) await this.#readAttachment(file, depth + 1);
      return;
    }
    if (mediaType === 'application/zip')
      return this.#addAttachments(await archivedFiles(source, this.#budget), depth, MAX_READ_ENTRIES);
    if (mediaType === 'application/epub+zip')
      return readEpub(await ZipContainer.open(source, this.#budget, { anyNames: true }), output);
    if (mediaType === 'application/rtf') return readRtf(source, output);
    if (mediaType === 'text/html' || mediaType === 'application/xhtml+xml')
      return readHtml(source, output, charset);
    if (mediaType === 'application/xml' || mediaType.endsWith('+xml'))
      return readXml(source.chunks(), output, { isSvg: mediaType === 'image/svg+xml' });
    if (mediaType === 'text/calendar' || mediaType === 'text/vcard')
      return readContentLines(source, output, charset);
    if (mediaType === 'application/json' || mediaType.startsWith('text/'))
      return readPlainText(source, output, charset);
    if (officeFormat(mediaType)?.readAs) throw new ExtractionError('ConverterMissing', mediaType);
  }

  /**
   * Adds the names of all attachments, then the texts of the first `limit` ones, which are read like any other file. A
   * failure does not make the outer file fail.
   */
  async #addAttachments(
    attachments: readonly Attachment[],
    depth: number,
    limit = MAX_READ_ATTACHMENTS,
  ): Promise<void> {
    const { output } = this;
    // Before the texts, because these may fill the output.
    output.add('\n\n');
    for (const { fileName } of attachments) if (fileName !== null) output.add(`${fileName}\n`);
    if (depth >= MAX_DEPTH) return;
    for (const attachment of attachments.slice(0, limit)) {
      if (output.full) return;
      output.add('\n\n');
      await this.#readAttachment(attachment, depth + 1);
    }
  }

  async #readAttachment(attachment: Attachment, depth: number): Promise<void> {
    const { output } = this;
    const outer = output.isInAttachment;
    output.isInAttachment = true;
    try {
      await this.read(await attachment.open(), attachment, depth, () => undefined);
    } catch (error) {
      // Skip an encrypted or damaged attachment. The message and its other attachments can still be read.
      if (error instanceof SourceReadError) throw error;
    } finally {
      output.isInAttachment = outer;
    }
  }

  async #readPdf(source: Source, depth: number, learn: UpdateMetadata): Promise<void> {
    const document = await openPdf(source, this.ocr ? { maxImageSize: MAX_PDF_IMAGE } : {});
    try {
      learn({ pageCount: plausiblePageCount(document.numPages) });
      const pages = await readPdf(document, source, this.output).catch((error: unknown) => {
        // No page is readable, so the page count is not reliable.
        learn({ pageCount: null });
        throw error;
      });
      // Keep the text if the files need too much memory.
      if (!this.output.isInAttachment) this.output.flush();
      const files = [...(await attachedFiles(document)), ...pages.flatMap((page) => page.files)];
      await this.#readFiles(files, depth, true);
      if (this.ocr) await recognisePdf(document, pages, this.output, this.ocr);
    } finally {
      await document.loadingTask.destroy();
    }
  }

  async #readImage(mediaType: string, source: Source, learn: UpdateMetadata): Promise<void> {
    if (mediaType === 'image/tiff') learn(await readTiff(source));
    else if (TYPES_WITH_DIMENSIONS.has(mediaType)) learn({ image: await readDimensions(source) });
    if (!this.ocr) return;
    const { output } = this;
    output.flush();
    let isFirst = true;
    for await (const page of this.ocr.readImage(mediaType, source)) {
      if (!isFirst) output.newPage();
      isFirst = false;
      output.addRecognised(page, output.here());
      if (output.full) return;
    }
  }

  async #readOffice(mediaType: string, source: Source, depth: number, learn: UpdateMetadata): Promise<void> {
    const zip = await ZipContainer.open(source, this.#budget);
    if (mediaType.includes('oasis.opendocument')) {
      await checkEncryption(zip);
      learn({ pageCount: plausiblePageCount(await openDocumentPages(zip)) });
      await readOpenDocument(zip, this.output);
    } else if (/wordprocessingml|ms-word/.test(mediaType)) {
      learn({ pageCount: plausiblePageCount(await wordPages(zip)) });
      await readWordDocument(zip, this.output);
    } else if (/spreadsheetml|ms-excel/.test(mediaType)) {
      await readWorkbook(zip, this.output);
    } else {
      learn({ pageCount: slideCount(zip) });
      await readPresentation(zip, this.output);
    }
    if (!mediaType.includes('oasis'))
      await this.#readFiles(await embeddedFiles(zip), depth, /presentation|powerpoint/.test(mediaType));
  }

  /** Adds the files in a file, as a last page if its text has pages. */
  async #readFiles(files: readonly Attachment[], depth: number, hasPages: boolean): Promise<void> {
    if (files.length === 0 || this.output.full) return;
    if (hasPages) this.output.newPage();
    await this.#addAttachments(files, depth);
  }
}

function plausiblePageCount(count: number): number | null {
  return Number.isInteger(count) && count > 0 && count <= 1_000_000 ? count : null;
}

/** Adds the text of scanned pages, and that of images on other pages. Skips pages that cannot be drawn. */
async function recognisePdf(
  document: PDFDocumentProxy,
  pages: readonly PdfPage[],
  output: TextOutput,
  ocr: Ocr,
): Promise<void> {
  output.flush();
  for (const { number, place, hasText } of pages) {
    if (output.full || ocr.tesseract.isOver()) return;
    try {
      const page = await document.getPage(number);
      const text = await (hasText ? ocr.readImages(page) : ocr.readPage(page));
      page.cleanup();
      // Otherwise pdf.js keeps the canvases of all pages.
      if (text !== null) await document.cleanup();
      output.addRecognised(text ?? '', place);
    } catch {
      // Text and other pages can still be read.
    }
  }
}
