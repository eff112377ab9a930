import { afterAll, beforeAll } from '@jest/globals';
import {
  CreateBucketCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { createClient } from '../../src/platform/content/s3-connection.js';
import { S3ContentStore } from '../../src/platform/content/s3-content-store.js';
import { describeContentStore } from '../platform/content/store-contract.js';
import { ContentFixture } from '../support/content-fixtures.js';
import { SwiftServer } from './swift-server.js';

const PART = 1024 * 1024;

/** A new bucket on the shared server. */
class SwiftFixture extends ContentFixture {
  static #count = 0;

  private constructor(
    readonly store: S3ContentStore,
    private readonly client: S3Client,
    private readonly bucket: string,
  ) {
    super();
  }

  static async create(server: SwiftServer): Promise<SwiftFixture> {
    SwiftFixture.#count += 1;
    const settings = { ...server.settings, s3Bucket: `bucket-${SwiftFixture.#count}`, partSize: PART };
    const client = createClient(settings);
    await client.send(new CreateBucketCommand({ Bucket: settings.s3Bucket }));
    return new SwiftFixture(await S3ContentStore.connect(settings), client, settings.s3Bucket);
  }

  override async files(): Promise<string[]> {
    const bucket = { Bucket: this.bucket };
    const { Contents = [] } = await this.client.send(new ListObjectsV2Command(bucket));
    const { Uploads = [] } = await this.client.send(new ListMultipartUploadsCommand(bucket));
    return [...Contents.map(({ Key }) => `${Key}`), ...Uploads.map(({ Key }) => `uploading ${Key}`)];
  }

  override async put(key: string, bytes: string): Promise<void> {
    await this.client.send(new PutObjectCommand({ Bucket: this.bucket, Key: key, Body: Buffer.from(bytes) }));
  }

  override openFiles(): Promise<string[]> {
    return Promise.resolve([]);
  }

  override async destroy(): Promise<void> {
    await this.store.close();
    this.client.destroy();
  }
}

let server: SwiftServer;
beforeAll(async () => {
  server = await SwiftServer.start();
}, 600_000);
afterAll(() => server.stop());

describeContentStore('S3ContentStore on OpenStack Swift', () => SwiftFixture.create(server), {
  partSize: PART,
  reportsOpenFiles: false,
});
