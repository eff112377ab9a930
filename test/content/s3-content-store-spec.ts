import { S3StoreFixture } from '../support/content-fixtures.js';
import { describeContentStore } from './store-contract.js';

const MEBIBYTE = 1024 * 1024;

async function bucketOfSmallParts(): Promise<S3StoreFixture> {
  const fixture = await S3StoreFixture.create({ partSize: MEBIBYTE });
  fixture.server.bucket.minPartSize = MEBIBYTE;
  return fixture;
}

describeContentStore('S3ContentStore', bucketOfSmallParts, MEBIBYTE);
