import { type ExtractionFailure } from './extractor.js';
import { type InputFile } from './input-file.js';
import { type FileMessage } from './messages.js';
import { MAX_PREVIEW_BYTES, type Preview, type PreviewRequest } from './previewer.js';
import { type ReadingTask, UnexpectedMessage } from './reading-task.js';

interface Rendering {
  readonly preview: Preview;
  /** Cause of a failure, for the log. */
  readonly detail: string | null;
}

const UNKNOWN = { fileName: null, claimedType: 'application/octet-stream' } as const;

/** Renders one page of a file. Only its bytes decide how. */
export class PreviewTask implements ReadingTask<Rendering> {
  readonly owner: string;
  readonly order: ReadingTask<Rendering>['order'];
  /** In base64, and other messages. */
  readonly maxBytes = 2 * MAX_PREVIEW_BYTES;
  readonly metadata = null;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(private readonly request: PreviewRequest) {
    const { owner, page, width } = request;
    this.owner = owner;
    this.order = { hints: UNKNOWN, ocr: null, preview: { page, width } };
  }

  async copyTo(file: InputFile): Promise<number> {
    return file.fill(await this.request.open(), this.request.size);
  }

  receive(message: FileMessage): Rendering | undefined {
    if (message.kind === 'image') {
      const piece = Buffer.from(message.data, 'base64');
      this.#length += piece.length;
      if (this.#length > MAX_PREVIEW_BYTES)
        throw new UnexpectedMessage('sent a larger picture than the limit');
      this.#pieces.push(piece);
      return undefined;
    }
    if (message.kind !== 'rendered') throw new UnexpectedMessage('sent an invalid message');
    const { failure, mediaType, pages, isLegible, detail } = message;
    if (failure === 'Unsupported') {
      if (mediaType === null) throw new UnexpectedMessage('sent no media type');
      return { preview: { image: null, failure, mediaType, pages }, detail };
    }
    if (failure !== null) return { preview: { image: null, failure, pages }, detail };
    const image = Buffer.concat(this.#pieces);
    if (!isWebp(image)) throw new UnexpectedMessage('sent a picture that is not WebP');
    return { preview: { image, failure, pages, isLegible }, detail };
  }

  endedBy(failure: ExtractionFailure): Rendering {
    return { preview: { image: null, failure, pages: null }, detail: 'ended by the service' };
  }
}

/** Whether the header of the container is that of a WebP file with this length (RFC 9649, 2.4). */
function isWebp(bytes: Buffer): boolean {
  return (
    bytes.length > 20 &&
    bytes.toString('latin1', 0, 4) === 'RIFF' &&
    bytes.readUInt32LE(4) === bytes.length - 8 &&
    /^WEBPVP8[ LX]$/.test(bytes.toString('latin1', 8, 16))
  );
}
