import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { ContentMissing } from '../../../src/platform/content/content-store.js';
import type { S3Settings } from '../../../src/platform/content/s3-connection.js';
import { S3ContentStore } from '../../../src/platform/content/s3-content-store.js';
import {
  bytesOf,
  listOf,
  pseudoRandomBytes,
  S3StoreFixture,
  sha256Of,
  TENANT,
} from '../../support/content-fixtures.js';
import { waitFor, waitUntil } from '../../support/wait-until.js';
import { type S3Fault, S3Server } from '../../support/servers/s3-server.js';
import { describeContentStore } from './store-contract.js';

const PART = 64 * 1024;
const UNAVAILABLE = { code: 'service.unavailable', options: { headers: { 'Retry-After': '5' } } };

async function bucketOfSmallParts(settings: Partial<S3Settings> = {}): Promise<S3StoreFixture> {
  const fixture = await S3StoreFixture.create({ partSize: PART, ...settings });
  fixture.server.bucket.minPartSize = PART;
  return fixture;
}

describeContentStore('S3ContentStore', () => bucketOfSmallParts({ s3Prefix: 'filing/' }), {
  partSize: PART,
});

describe('S3ContentStore', () => {
  let fixture: S3StoreFixture;
  beforeEach(async () => {
    fixture = await bucketOfSmallParts();
  });
  afterEach(() => fixture.destroy());

  function failing(operation: string, fault: S3Fault): void {
    fixture.server.injectFault = (name) => (name === operation ? fault : undefined);
  }

  async function reopened(settings: Partial<S3Settings>): Promise<S3ContentStore> {
    await fixture.destroy();
    fixture = await bucketOfSmallParts(settings);
    return fixture.store;
  }

  const storeWithShortTimeout = (): Promise<S3ContentStore> =>
    untilItAnswers(() => S3ContentStore.connect({ ...fixture.server.settings, idleTimeoutMs: 200 }));

  /** Retries, because on a busy machine the short timeout may pass although the server works. */
  const untilItAnswers = <T>(attempt: () => Promise<T>): Promise<T> =>
    waitFor(() => attempt().catch(() => undefined), 'An answer within the limit');

  const received = (bytes: Buffer | string = 'hello') =>
    fixture.store.receive(Readable.from([Buffer.from(bytes)]), 10_000_000);

  describe('sends only the necessary requests', () => {
    it('for content of one part', async () => {
      await fixture.keep('hello');
      expect(fixture.server.operations).toEqual([
        'HeadBucket',
        'PutObject',
        'HeadObject',
        'CopyObject',
        'DeleteObject',
      ]);
    });

    it('for content of three parts', async () => {
      await received(Buffer.alloc(2.5 * PART));
      expect(fixture.server.operations).toEqual([
        'HeadBucket',
        'CreateMultipartUpload',
        'UploadPart',
        'UploadPart',
        'UploadPart',
        'CompleteMultipartUpload',
      ]);
    });

    it('for content that the bucket already has', async () => {
      await fixture.keep('hello');
      fixture.server.operations.length = 0;
      await fixture.keep('hello');
      expect(fixture.server.operations).toEqual(['PutObject', 'HeadObject', 'DeleteObject']);
    });
  });

  it('reads and writes only keys with its prefix', async () => {
    await reopened({ s3Prefix: 'filing/' });
    const sha256 = await fixture.keep('hello');
    await fixture.server.bucket.put(fixture.keyOf(sha256Of('other')), 'other');

    expect(fixture.server.bucket.keys()).toEqual([
      `filing/${fixture.keyOf(sha256)}`,
      fixture.keyOf(sha256Of('other')),
    ]);
    expect((await listOf(fixture.store.listKept())).map((kept) => kept.sha256)).toEqual([sha256]);
    await expect(fixture.store.size(TENANT, sha256Of('other'))).rejects.toBeInstanceOf(ContentMissing);
  });

  it.each([3, 200_000])('requests the configured encryption for %d bytes', async (size) => {
    const store = await reopened({
      s3ServerSideEncryption: 'aws:kms',
      s3KmsKeyId: 'alias/filing',
      copyPartSize: PART,
    });
    const upload = await store.receive(Readable.from([Buffer.alloc(size)]), size);
    expect(fixture.server.bucket.encryptionOf(`incoming/${upload.token}`)).toBe('aws:kms alias/filing');

    await store.keep(TENANT, upload);

    expect(fixture.server.bucket.encryptionOf(fixture.keyOf(upload.sha256))).toBe('aws:kms alias/filing');
  });

  describe('content too large for one copy request', () => {
    const bytes = pseudoRandomBytes(2.5 * PART);
    beforeEach(async () => {
      await reopened({ copyPartSize: PART });
      fixture.server.bucket.maxCopySize = PART;
    });

    it('is copied in parts', async () => {
      const sha256 = await fixture.keep(bytes);

      expect((await bytesOf(await fixture.store.open(TENANT, sha256))).equals(bytes)).toBe(true);
      expect(fixture.server.operations.filter((name) => name === 'UploadPartCopy')).toHaveLength(3);
      expect(await fixture.files()).toEqual([fixture.keyOf(sha256)]);
    });

    it('leaves no parts when the copy fails, and can be kept again', async () => {
      const upload = await received(bytes);
      fixture.server.injectFault = (name, _, count) =>
        name === 'UploadPartCopy' && count > 1 ? { status: 500, code: 'InternalError' } : undefined;
      await expect(fixture.store.keep(TENANT, upload)).rejects.toMatchObject(UNAVAILABLE);
      expect(await fixture.files()).toEqual([`incoming/${upload.token}`]);

      fixture.server.injectFault = () => undefined;
      await fixture.store.keep(TENANT, upload);

      expect(await fixture.files()).toEqual([fixture.keyOf(upload.sha256)]);
    });

    it('causes ContentMissing when the temporary object was removed', async () => {
      const upload = await received(bytes);
      await fixture.store.discard(upload);
      await expect(fixture.store.keep(TENANT, upload)).rejects.toBeInstanceOf(ContentMissing);
      expect(await fixture.files()).toEqual([]);
    });
  });

  describe('when the bucket fails', () => {
    /** Content larger than the buffers of a connection. */
    async function largeContent(): Promise<string> {
      const bytes = Buffer.alloc(20_000_000);
      await fixture.server.bucket.put(fixture.keyOf(sha256Of(bytes)), bytes);
      return sha256Of(bytes);
    }

    it('retries each operation without an error', async () => {
      // Only one operation fails with SlowDown, because the SDK waits longest after it.
      fixture.server.injectFault = (name, _, count) => {
        if (count > 1) return undefined;
        return name === 'UploadPart'
          ? { status: 503, code: 'SlowDown' }
          : { status: 500, code: 'InternalError' };
      };
      const bytes = pseudoRandomBytes(2.5 * PART);

      const sha256 = await fixture.keep(bytes);

      expect((await bytesOf(await fixture.store.open(TENANT, sha256))).equals(bytes)).toBe(true);
      expect(await fixture.files()).toEqual([fixture.keyOf(sha256)]);
    });

    it('treats an upload as complete when only the answer was lost', async () => {
      fixture.server.dropsAnswer = (name, count) => name === 'CompleteMultipartUpload' && count === 1;
      const bytes = pseudoRandomBytes(2.5 * PART);

      const sha256 = await fixture.keep(bytes);

      expect((await bytesOf(await fixture.store.open(TENANT, sha256))).equals(bytes)).toBe(true);
    });

    it.each([
      ['PutObject', 100],
      ['CreateMultipartUpload', 2.5 * PART],
      ['UploadPart', 2.5 * PART],
      ['CompleteMultipartUpload', 2.5 * PART],
    ])('throws a 503 and leaves no objects when %s fails three times', async (operation, size) => {
      failing(operation, { status: 500, code: 'InternalError' });
      const source = Readable.from([Buffer.alloc(size)]);

      await expect(fixture.store.receive(source, size)).rejects.toMatchObject(UNAVAILABLE);

      expect(source.destroyed).toBe(true);
      expect(await fixture.files()).toEqual([]);
      expect(fixture.server.operations.filter((name) => name === operation)).toHaveLength(3);
    });

    it.each<S3Fault>([
      { status: 507, code: 'XMinioStorageFull' },
      { status: 403, code: 'QuotaExceeded' },
    ])('throws a 507 when the bucket is full: %j', async (fault) => {
      failing('UploadPart', fault);
      await expect(received(Buffer.alloc(3 * PART))).rejects.toMatchObject({
        code: 'content.storage-full',
        status: 507,
      });
      expect(await fixture.files()).toEqual([]);
    });

    it('reports a failed part without waiting for more bytes from the client', async () => {
      failing('UploadPart', { status: 403, code: 'AccessDenied' });
      const source = new PassThrough();
      const receiving = fixture.store.receive(source, 10 * PART);
      source.write(Buffer.alloc(PART + 1));

      await expect(receiving).rejects.toMatchObject(UNAVAILABLE);

      expect(await fixture.files()).toEqual([]);
    });

    it.each(['silence', 'cut'] as const)('throws a 503 for the connection fault "%s"', async (fault) => {
      const upload = await received();
      const store = await storeWithShortTimeout();
      fixture.server.injectFault = () => fault;

      await Promise.all([
        expect(store.receive(Readable.from(['hello']), 10)).rejects.toMatchObject(UNAVAILABLE),
        expect(store.keep(TENANT, upload)).rejects.toMatchObject(UNAVAILABLE),
        expect(store.open(TENANT, upload.sha256)).rejects.toMatchObject(UNAVAILABLE),
      ]);
      await store.close();
    });

    it('throws a 503 and not ContentMissing when the bucket does not exist', async () => {
      const upload = await received();
      const sha256 = await fixture.keep('kept');
      fixture.server.removeBucket();

      await expect(received()).rejects.toMatchObject(UNAVAILABLE);
      await expect(fixture.store.keep(TENANT, upload)).rejects.toMatchObject(UNAVAILABLE);
      await expect(fixture.store.open(TENANT, sha256)).rejects.toMatchObject(UNAVAILABLE);
      await expect(fixture.store.size(TENANT, sha256)).rejects.toMatchObject(UNAVAILABLE);
      await expect(fixture.store.remove(TENANT, sha256)).rejects.toMatchObject(UNAVAILABLE);
      await expect(listOf(fixture.store.listKept())).rejects.toMatchObject(UNAVAILABLE);
      await expect(listOf(fixture.store.listTemporary())).rejects.toMatchObject(UNAVAILABLE);
    });

    it('keeps content even if the temporary object cannot be removed', async () => {
      failing('DeleteObject', { status: 403, code: 'AccessDenied' });
      const sha256 = await fixture.keep('hello');
      expect(await fixture.store.size(TENANT, sha256)).toBe(5);
    });

    it('makes a stream fail that breaks off before its end', async () => {
      const stream = await fixture.store.open(TENANT, await largeContent());
      await new Promise((resolve) => stream.once('readable', resolve));

      await fixture.server.closePort();

      await expect(bytesOf(stream)).rejects.toMatchObject({ code: 'ECONNRESET' });
    });

    it('handles a stream that fails before it is read', async () => {
      const store = await storeWithShortTimeout();
      const sha256 = await largeContent();
      const stream = await untilItAnswers(() => store.open(TENANT, sha256));

      await waitUntil(() => stream.destroyed);

      await expect(bytesOf(stream)).rejects.toThrow();
      await store.close();
    });
  });

  it('reads at most two parts ahead when the bucket does not answer', async () => {
    failing('UploadPart', 'silence');
    let taken = 0;
    const source = new Readable({
      read() {
        taken += 1000;
        this.push(Buffer.alloc(1000));
      },
    });
    const receiving = fixture.store.receive(source, 100 * PART);
    receiving.catch(() => undefined);
    await waitUntil(() => fixture.server.operations.includes('UploadPart'));
    await sleep(100);

    expect(taken).toBeLessThan(2 * PART + 100_000);

    source.destroy(new Error('hung up'));
    fixture.server.injectFault = () => undefined;
    await fixture.server.closePort();
    await expect(receiving).rejects.toThrow();
  });

  describe('unfinished multipart uploads', () => {
    async function abandon(count: number): Promise<void> {
      fixture.server.injectFault = (name) =>
        name === 'CompleteMultipartUpload' || name === 'AbortMultipartUpload'
          ? { status: 403, code: 'AccessDenied' }
          : undefined;
      for (let n = 0; n < count; n += 1) {
        await received(Buffer.alloc(2 * PART, n)).catch(() => undefined);
      }
      fixture.server.injectFault = () => undefined;
      expect(fixture.server.bucket.uploads()).toHaveLength(count);
    }

    it('are listed with their times, and can be discarded twice, as by concurrent sweeps', async () => {
      await abandon(5);
      fixture.server.bucket.pageSize = 2;
      const [young, ...old] = fixture.server.bucket.uploads();
      for (const key of old) fixture.server.bucket.age(key, 25);

      const listed = await listOf(fixture.store.listTemporary());
      for (const { token, modifiedAt } of [...listed, ...listed])
        if (modifiedAt.getTime() < Date.now() - 24 * 3_600_000) await fixture.store.discard({ token });

      expect(fixture.server.bucket.uploads()).toEqual([young]);
    });

    it('are not listed on a server without ListMultipartUploads', async () => {
      await abandon(1);
      failing('ListMultipartUploads', { status: 501, code: 'NotImplemented' });
      expect(await listOf(fixture.store.listTemporary())).toEqual([]);
    });
  });

  it('closes its connections in close()', async () => {
    await fixture.keep('hello');
    expect(await fixture.server.connections()).toBeGreaterThan(0);
    await fixture.store.close();
    await waitUntil(async () => (await fixture.server.connections()) === 0);
  });
});

describe('S3ContentStore.connect', () => {
  let server: S3Server;
  beforeEach(async () => {
    server = await S3Server.start();
  });
  afterEach(() => server.stop());

  const connecting = (settings: Partial<S3Settings>) =>
    expect(S3ContentStore.connect({ ...server.settings, ...settings })).rejects;

  it('reports a missing bucket in one sentence', () =>
    connecting({ s3Bucket: 'nowhere' }).toMatchObject({
      name: 'ContentStoreStartError',
      message: `The bucket nowhere at ${server.url} cannot be used: it does not exist (S3_BUCKET).`,
    }));

  it('reports wrong credentials without quoting them', async () => {
    const credentials = { s3AccessKeyId: 'TESTKEY', s3SecretAccessKey: 'hush' };
    await connecting(credentials).toThrow(/access is denied for these credentials \(S3_ACCESS_KEY_ID/);
    await connecting(credentials).not.toThrow(/hush/);
  });

  it('reports that no server answers', async () => {
    await server.closePort();
    await connecting({}).toThrow(
      /^The bucket records at \S+ cannot be used: .*ECONNREFUSED.* \(S3_ENDPOINT\)\.$/,
    );
  });

  it('reports that the bucket is in another region', async () => {
    server.injectFault = () => ({ status: 301, code: 'PermanentRedirect' });
    await connecting({}).toThrow('it is in another region (S3_REGION)');
  });
});
