import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  DeleteObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { PartBuffer, type BufferPool } from './part-buffer.js';
import { isNamed } from './s3-connection.js';

/** Where an object goes, and how it is to be encrypted there. */
export type S3Target = Pick<CreateMultipartUploadCommandInput, 'ServerSideEncryption' | 'SSEKMSKeyId'> & {
  readonly Bucket: string;
  readonly Key: string;
};

/**
 * Writes one object of unknown length. One part is filled while another is on its way, and their memory is used again
 * for the next ones: an upload never takes more than two parts' worth, however long it is. What fits into one part
 * is a single request.
 *
 * Either `end` succeeds, or `abort` has to be called, after which neither object nor parts are left.
 */
export class S3Upload {
  readonly #aborter = new AbortController();
  readonly #parts: CompletedPart[] = [];
  #filling: PartBuffer;
  #spare: PartBuffer | null = null;
  #sending: Promise<void> = Promise.resolve();
  #uploadId: string | undefined;
  #mayExist = false;
  #length = 0;

  /**
   * @param onFailure told of a part that could not be sent, so that nobody has to wait for the next piece to learn it;
   *   `write` and `end` fail with it as well
   */
  constructor(
    private readonly client: S3Client,
    private readonly target: S3Target,
    private readonly pool: BufferPool,
    private readonly onFailure: (error: unknown) => void,
  ) {
    this.#filling = new PartBuffer(pool);
  }

  /** Resolves when there is room for more. The bytes are copied; `chunk` may be used again. */
  async write(chunk: Buffer): Promise<void> {
    this.#length += chunk.length;
    for (let taken = 0; taken < chunk.length;) {
      // Only with more to come: the last part must not be sent before it is known to be the last.
      if (this.#filling.isFull) await this.#sendPart();
      taken += this.#filling.fill(chunk.subarray(taken));
    }
  }

  async end(): Promise<void> {
    await this.#finish();
    // Only now: what was aborted may still be on its way out of this memory.
    this.#filling.release();
    this.#spare?.release();
  }

  async #finish(): Promise<void> {
    if (this.#uploadId === undefined && this.#parts.length === 0) {
      this.#mayExist = true;
      await this.client.send(new PutObjectCommand({ ...this.target, Body: this.#filling.bytes() }), {
        abortSignal: this.#aborter.signal,
      });
      return;
    }
    await this.#sendPart();
    await this.#sending;
    this.#mayExist = true;
    const { Bucket, Key } = this.target;
    const upload = { Bucket, Key, UploadId: this.#uploadId };
    await completeUpload(this.client, upload, this.#parts, this.#length, this.#aborter.signal);
  }

  /** What cannot be removed now is the sweep's. */
  async abort(): Promise<void> {
    this.#aborter.abort();
    // A part that arrives after the upload was aborted would stay.
    await this.#sending.catch(ignore);
    const { Bucket, Key } = this.target;
    if (this.#uploadId !== undefined) {
      const upload = { Bucket, Key, UploadId: this.#uploadId };
      await this.client.send(new AbortMultipartUploadCommand(upload)).catch(ignore);
    }
    if (this.#mayExist) await this.client.send(new DeleteObjectCommand({ Bucket, Key })).catch(ignore);
  }

  /** Begins to send the part that was filled, once the one before it has arrived. */
  async #sendPart(): Promise<void> {
    await this.#sending;
    if (this.#uploadId === undefined) {
      const { UploadId } = await this.client.send(new CreateMultipartUploadCommand(this.target), {
        abortSignal: this.#aborter.signal,
      });
      if (UploadId === undefined) throw new Error('The server began an upload without naming it.');
      this.#uploadId = UploadId;
    }
    const part = this.#filling;
    this.#filling = this.#spare ?? new PartBuffer(this.pool);
    this.#spare = part;
    const { Bucket, Key } = this.target;
    const PartNumber = this.#parts.length + 1;
    const completed: CompletedPart = { PartNumber };
    this.#parts.push(completed);
    const command = new UploadPartCommand({
      Bucket,
      Key,
      UploadId: this.#uploadId,
      PartNumber,
      Body: part.bytes(),
    });
    this.#sending = this.client.send(command, { abortSignal: this.#aborter.signal }).then(({ ETag }) => {
      completed.ETag = ETag;
      part.clear();
    });
    // Nobody may be waiting for it at that moment.
    this.#sending.catch((error: unknown) => this.onFailure(error));
  }
}

/**
 * Makes an object of its parts. A server whose answer was lost is asked again, and then does not know the upload any
 * more: whether it succeeded shows in the object.
 */
export async function completeUpload(
  client: S3Client,
  upload: { readonly Bucket: string; readonly Key: string; readonly UploadId: string | undefined },
  parts: CompletedPart[],
  size: number,
  abortSignal?: AbortSignal,
): Promise<void> {
  const options = { ...(abortSignal && { abortSignal }) };
  try {
    const command = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } });
    await client.send(command, options);
  } catch (error) {
    if (!isNamed(error, 'NoSuchUpload')) throw error;
    const { Bucket, Key } = upload;
    const made = await client.send(new HeadObjectCommand({ Bucket, Key }), options);
    if (made.ContentLength !== size) throw error;
  }
}

function ignore(): void {}
