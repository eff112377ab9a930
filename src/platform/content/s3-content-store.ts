import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  type S3Client,
  UploadPartCopyCommand,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import { keptKey, parseKeptKey, parseTemporaryKey, temporaryKey, tenantFolder } from './content-keys.js';
import {
  type ByteRange,
  ContentMissing,
  ContentStore,
  type KeptContent,
  type ReceivedContent,
  type TemporaryContent,
  receiveChunks,
} from './content-store.js';
import { BufferPool } from './part-buffer.js';
import {
  bucketProblem,
  checkBucket,
  createClient,
  isNamed,
  type S3Settings,
  statusOf,
} from './s3-connection.js';
import { completeUpload, listUploads, S3Upload, type S3Target } from './s3-upload.js';

const PART_SIZE = 5 * 1024 * 1024;
const COPY_PART_SIZE = 1024 * 1024 * 1024;
/** Objects of a tenant that are removed at the same time. */
const CONCURRENT_REMOVALS = 16;

/**
 * Stores content in a bucket of S3 or a compatible server. The keys are the same as the paths of the disk store
 * (ADR 23). `keep` copies temporary content from `incoming/` within the bucket.
 *
 * The server must have strong read-after-write consistency, as S3 has since 2020.
 */
export class S3ContentStore extends ContentStore {
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #encryption: Pick<S3Target, 'ServerSideEncryption' | 'SSEKMSKeyId'>;
  readonly #bufferPool: BufferPool;
  readonly #copyPartSize: number;

  private constructor(
    private readonly client: S3Client,
    settings: S3Settings,
  ) {
    super();
    this.#bucket = settings.s3Bucket ?? '';
    this.#prefix = settings.s3Prefix ?? '';
    this.#encryption = {
      ...(settings.s3ServerSideEncryption && { ServerSideEncryption: settings.s3ServerSideEncryption }),
      ...(settings.s3KmsKeyId && { SSEKMSKeyId: settings.s3KmsKeyId }),
    };
    this.#bufferPool = new BufferPool(settings.partSize ?? PART_SIZE);
    this.#copyPartSize = settings.copyPartSize ?? COPY_PART_SIZE;
  }

  /** @throws ContentStoreStartError when the bucket cannot be used */
  static async connect(settings: S3Settings): Promise<S3ContentStore> {
    const client = createClient(settings);
    try {
      await checkBucket(client, settings);
    } catch (error) {
      client.destroy();
      throw error;
    }
    return new S3ContentStore(client, settings);
  }

  override async receive(source: Readable, limit: number): Promise<ReceivedContent> {
    // The client may disconnect at once. An error event without a listener would end the process.
    source.on('error', ignore);
    const token = randomUUID();
    const target = this.#target(temporaryKey(token));
    const upload = new S3Upload(this.client, target, this.#bufferPool, (error) =>
      source.destroy(bucketProblem(error)),
    );
    try {
      const content = await receiveChunks(source, limit, (chunk) => upload.write(chunk).catch(fail));
      await upload.end().catch(fail);
      return { token, ...content };
    } catch (error) {
      source.destroy();
      await upload.abort();
      throw error;
    }
  }

  override async keep(tenantId: string, received: ReceivedContent): Promise<void> {
    const temporary = this.#key(temporaryKey(received.token));
    const kept = keptKey(tenantId, received.sha256);
    // An existing object of another size is damaged. Replace it: the hash of the new bytes was verified.
    if ((await this.#sizeOf(kept)) !== received.size) {
      try {
        await this.#copy(temporary, this.#target(kept), received.size);
      } catch (error) {
        throw isNamed(error, 'NoSuchKey')
          ? new ContentMissing(tenantId, received.sha256)
          : bucketProblem(error);
      }
    }
    // The content is stored, so a failure to remove the temporary copy is ignored. The sweep removes it later.
    await this.#delete(temporary).catch(ignore);
  }

  override async discard({ token }: Pick<ReceivedContent, 'token'>): Promise<void> {
    const begun = parseUploadToken(token);
    if (!begun) {
      await this.#delete(this.#key(temporaryKey(token))).catch(fail);
      return;
    }
    const upload = { Bucket: this.#bucket, Key: this.#key(begun.key), UploadId: begun.uploadId };
    try {
      await this.client.send(new AbortMultipartUploadCommand(upload));
    } catch (error) {
      if (!isNamed(error, 'NoSuchUpload')) throw bucketProblem(error);
    }
  }

  override async open(tenantId: string, sha256: string, range?: ByteRange): Promise<Readable> {
    const command = new GetObjectCommand({
      Bucket: this.#bucket,
      Key: this.#key(keptKey(tenantId, sha256)),
      ...(range && { Range: `bytes=${range.start}-${range.end}` }),
    });
    try {
      // In Node, Body is the HTTP response: destroying it closes the connection.
      const body = (await this.client.send(command)).Body as Readable;
      // The connection may break before the caller reads. An error event without a listener would end the process.
      return body.on('error', ignore);
    } catch (error) {
      throw isNamed(error, 'NoSuchKey') ? new ContentMissing(tenantId, sha256) : bucketProblem(error);
    }
  }

  override async size(tenantId: string, sha256: string): Promise<number> {
    const size = await this.#sizeOf(keptKey(tenantId, sha256));
    if (size !== null) return size;
    // A 404 of HEAD can mean a missing object or a missing bucket.
    await this.client.send(new HeadBucketCommand({ Bucket: this.#bucket })).catch(fail);
    throw new ContentMissing(tenantId, sha256);
  }

  override async remove(tenantId: string, sha256: string): Promise<void> {
    await this.#delete(this.#key(keptKey(tenantId, sha256))).catch(fail);
  }

  /** Lists temporary objects and unfinished multipart uploads, including those of copies in parts. */
  override async *listTemporary(): AsyncGenerator<TemporaryContent> {
    for await (const { key, modifiedAt } of this.#listed('incoming/')) {
      const token = parseTemporaryKey(key);
      if (token !== null) yield { token, modifiedAt };
    }
    for (const folder of ['incoming/', 'objects/']) {
      const uploads = listUploads(this.client, this.#bucket, this.#key(folder));
      for await (const { key: fullKey, uploadId, modifiedAt } of mapIterationErrors(uploads)) {
        const key = fullKey.slice(this.#prefix.length);
        if (parseTemporaryKey(key) === null && parseKeptKey(key) === null) continue;
        yield { token: uploadToken(key, uploadId), modifiedAt };
      }
    }
  }

  override async *listKept(): AsyncGenerator<KeptContent> {
    for await (const { key, modifiedAt } of this.#listed('objects/')) {
      const kept = parseKeptKey(key);
      if (kept) yield { ...kept, modifiedAt };
    }
  }

  override async removeAll(tenantId: string): Promise<void> {
    let batch: string[] = [];
    const removeBatch = async () => {
      await Promise.all(batch.map((key) => this.#delete(this.#key(key)))).catch(fail);
      batch = [];
    };
    for await (const { key } of this.#listed(`${tenantFolder(tenantId)}/`)) {
      batch.push(key);
      if (batch.length === CONCURRENT_REMOVALS) await removeBatch();
    }
    await removeBatch();
  }

  override close(): Promise<void> {
    this.client.destroy();
    return Promise.resolve();
  }

  async *#listed(folder: string): AsyncGenerator<{ key: string; modifiedAt: Date }> {
    const { client } = this;
    const pages = paginateListObjectsV2({ client }, { Bucket: this.#bucket, Prefix: this.#key(folder) });
    for await (const { Contents = [] } of mapIterationErrors(pages)) {
      for (const { Key, LastModified } of Contents)
        if (Key !== undefined && LastModified)
          yield { key: Key.slice(this.#prefix.length), modifiedAt: LastModified };
    }
  }

  async #copy(sourceKey: string, target: S3Target, size: number): Promise<void> {
    // Needs no escaping: the characters of keys and of S3_PREFIX are safe here.
    const CopySource = `${this.#bucket}/${sourceKey}`;
    if (size <= this.#copyPartSize) {
      await this.client.send(new CopyObjectCommand({ ...target, CopySource }));
      return;
    }
    const { UploadId } = await this.client.send(new CreateMultipartUploadCommand(target));
    const upload = { Bucket: target.Bucket, Key: target.Key, UploadId };
    try {
      const parts: CompletedPart[] = [];
      for (let start = 0; start < size; start += this.#copyPartSize) {
        const end = Math.min(size, start + this.#copyPartSize) - 1;
        const PartNumber = parts.length + 1;
        const { CopyPartResult } = await this.client.send(
          new UploadPartCopyCommand({
            ...upload,
            PartNumber,
            CopySource,
            CopySourceRange: `bytes=${start}-${end}`,
          }),
        );
        parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
      }
      await completeUpload(this.client, upload, parts, size);
    } catch (error) {
      await this.client.send(new AbortMultipartUploadCommand(upload)).catch(ignore);
      throw error;
    }
  }

  async #sizeOf(key: string): Promise<number | null> {
    try {
      const command = new HeadObjectCommand({ Bucket: this.#bucket, Key: this.#key(key) });
      return (await this.client.send(command)).ContentLength ?? null;
    } catch (error) {
      if (statusOf(error) === 404) return null;
      throw bucketProblem(error);
    }
  }

  /** Also succeeds when the object does not exist. */
  async #delete(key: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key }));
  }

  #key(key: string): string {
    return this.#prefix + key;
  }

  #target(key: string): S3Target {
    return { Bucket: this.#bucket, Key: this.#key(key), ...this.#encryption };
  }
}

function ignore(): void {}

function fail(error: unknown): never {
  throw bucketProblem(error);
}

async function* mapIterationErrors<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (error) {
    throw bucketProblem(error);
  }
}

/** Token of an unfinished multipart upload in the list of temporary content. */
function uploadToken(key: string, uploadId: string): string {
  return `upload ${key} ${uploadId}`;
}

function parseUploadToken(token: string): { key: string; uploadId: string } | null {
  const [, key = '', uploadId = ''] = /^upload (\S+) (.+)$/s.exec(token) ?? [];
  if (parseTemporaryKey(key) === null && parseKeptKey(key) === null) return null;
  return { key, uploadId };
}
