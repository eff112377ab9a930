import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  DeleteObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { PartBuffer, type BufferPool } from './part-buffer.js';
import { isNamed, statusOf } from './s3-connection.js';

export type S3Target = Pick<CreateMultipartUploadCommandInput, 'ServerSideEncryption' | 'SSEKMSKeyId'> & {
  readonly Bucket: string;
  readonly Key: string;
};

/**
 * Writes one object of unknown length. One part is filled while the previous one is sent, so that an upload needs the
 * memory of at most two parts. Content that fits into one part is sent in a single request.
 *
 * If `write` or `end` fails, call `abort`: it removes the object and its parts.
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
   * @param onFailure called at once when a part cannot be sent, before the next `write` or `end` fails with the same
   *   error
   */
  constructor(
    private readonly client: S3Client,
    private readonly target: S3Target,
    private readonly pool: BufferPool,
    private readonly onFailure: (error: unknown) => void,
  ) {
    this.#filling = new PartBuffer(pool);
  }

  /** Copies `chunk`. Resolves when the next chunk can be written. */
  async write(chunk: Buffer): Promise<void> {
    this.#length += chunk.length;
    for (let taken = 0; taken < chunk.length;) {
      // Send a full part only when more bytes follow, because the last part is sent by `end`.
      if (this.#filling.isFull) await this.#sendPart();
      taken += this.#filling.fill(chunk.subarray(taken));
    }
  }

  async end(): Promise<void> {
    await this.#finish();
    // Not released by `abort`, because an aborted request may still read the buffer.
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
    await completeUpload(this.client, this.#upload, this.#parts, this.#length, this.#aborter.signal);
  }

  /** Ignores failures: the sweep later removes what is left. */
  async abort(): Promise<void> {
    this.#aborter.abort();
    // Wait for it: a part that arrives after the abort would remain in the bucket.
    await this.#sending.catch(ignore);
    if (this.#uploadId !== undefined)
      await this.client.send(new AbortMultipartUploadCommand(this.#upload)).catch(ignore);
    const { Bucket, Key } = this.target;
    if (this.#mayExist) await this.client.send(new DeleteObjectCommand({ Bucket, Key })).catch(ignore);
  }

  /** The members of a request that name the upload. */
  get #upload() {
    const { Bucket, Key } = this.target;
    return { Bucket, Key, UploadId: this.#uploadId };
  }

  /** Waits until the previous part is sent, then starts to send the filled one. */
  async #sendPart(): Promise<void> {
    await this.#sending;
    if (this.#uploadId === undefined) {
      const { UploadId } = await this.client.send(new CreateMultipartUploadCommand(this.target), {
        abortSignal: this.#aborter.signal,
      });
      if (UploadId === undefined) throw new Error('The server returned no upload id.');
      this.#uploadId = UploadId;
    }
    const part = this.#filling;
    this.#filling = this.#spare ?? new PartBuffer(this.pool);
    this.#spare = part;
    const PartNumber = this.#parts.length + 1;
    const completed: CompletedPart = { PartNumber };
    this.#parts.push(completed);
    const command = new UploadPartCommand({ ...this.#upload, PartNumber, Body: part.bytes() });
    this.#sending = this.client.send(command, { abortSignal: this.#aborter.signal }).then(({ ETag }) => {
      completed.ETag = ETag;
      part.clear();
    });
    // Handle the rejection now: the caller may await #sending only later.
    this.#sending.catch((error: unknown) => this.onFailure(error));
  }
}

/**
 * Completes a multipart upload. When the answer to the first attempt was lost, the retry gets NoSuchUpload although the
 * upload succeeded. Then the size of the object shows whether it did.
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
    const object = await client.send(new HeadObjectCommand({ Bucket, Key }), options);
    if (object.ContentLength !== size) throw error;
  }
}

/**
 * Lists the unfinished multipart uploads to keys that begin with `prefix`. Empty on servers that do not implement this
 * request (501) or remove such uploads by themselves.
 */
export async function* listUploads(
  client: S3Client,
  bucket: string,
  prefix: string,
): AsyncGenerator<{ key: string; uploadId: string; modifiedAt: Date }> {
  let marker: { KeyMarker?: string; UploadIdMarker?: string } | null = {};
  while (marker) {
    const command: ListMultipartUploadsCommand = new ListMultipartUploadsCommand({
      Bucket: bucket,
      Prefix: prefix,
      ...marker,
    });
    const page = await client.send(command).catch((error: unknown) => {
      if (statusOf(error) === 501) return null;
      throw error;
    });
    for (const { Key, UploadId, Initiated } of page?.Uploads ?? []) {
      if (Key !== undefined && UploadId !== undefined && Initiated) {
        yield { key: Key, uploadId: UploadId, modifiedAt: Initiated };
      }
    }
    marker =
      page?.IsTruncated && page.NextKeyMarker
        ? {
            KeyMarker: page.NextKeyMarker,
            ...(page.NextUploadIdMarker && { UploadIdMarker: page.NextUploadIdMarker }),
          }
        : null;
  }
}

function ignore(): void {}
