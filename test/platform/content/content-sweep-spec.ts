import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { sweepContent } from '../../../src/platform/content/content-sweep.js';
import {
  type AgingFixture,
  bytesOf,
  OTHER_TENANT,
  S3StoreFixture,
  sha256Of,
  DiskStoreFixture,
  TENANT,
} from '../../support/content-fixtures.js';

const NONE_REFERENCED = async (): Promise<Set<string>> => new Set();
const WITHOUT_LOCK = (_tenantId: string, _sha256: string, remove: () => Promise<void>): Promise<void> =>
  remove();

async function pagedBucket(): Promise<S3StoreFixture> {
  const fixture = await S3StoreFixture.create({ s3Prefix: 'filing/' });
  fixture.server.bucket.pageSize = 7;
  return fixture;
}

describe.each([
  ['disk', () => DiskStoreFixture.create()],
  ['a bucket', pagedBucket],
])('sweepContent of %s', (_, create: () => Promise<AgingFixture>) => {
  let fixture: AgingFixture;
  beforeEach(async () => {
    fixture = await create();
  });
  afterEach(() => fixture.destroy());

  async function keepOld(text: string, tenantId = TENANT): Promise<string> {
    const sha256 = await fixture.keep(text, tenantId);
    await fixture.age(fixture.keyOf(sha256, tenantId), 25);
    return sha256;
  }

  it('removes temporary content older than a day', async () => {
    const old = await fixture.store.receive(Readable.from([Buffer.from('old')]), 10);
    const young = await fixture.store.receive(Readable.from([Buffer.from('young')]), 10);
    await fixture.age(`incoming/${old.token}`, 25);
    await fixture.age(`incoming/${young.token}`, 23);

    const result = await sweepContent(fixture.store, NONE_REFERENCED, { withContentLock: WITHOUT_LOCK });

    expect(result).toEqual({ temporary: 1, kept: 0 });
    expect(await fixture.files()).toEqual([`incoming/${young.token}`]);
  });

  it('removes unreferenced kept content older than a day', async () => {
    const [forgotten, used] = [await keepOld('forgotten'), await keepOld('used')];
    const young = await fixture.keep('young');

    const result = await sweepContent(fixture.store, async () => new Set([used]), {
      withContentLock: WITHOUT_LOCK,
    });

    expect(result).toEqual({ temporary: 0, kept: 1 });
    await expect(fixture.store.size(TENANT, forgotten)).rejects.toThrow();
    expect(await fixture.store.size(TENANT, used)).toBe(4);
    expect(await fixture.store.size(TENANT, young)).toBe(5);
  });

  it('uses the minimum age in olderThanMs', async () => {
    await fixture.age(fixture.keyOf(await fixture.keep('two hours old')), 2);

    const tooYoung = await sweepContent(fixture.store, NONE_REFERENCED, {
      olderThanMs: 3 * 3_600_000,
      withContentLock: WITHOUT_LOCK,
    });
    const oldEnough = await sweepContent(fixture.store, NONE_REFERENCED, {
      olderThanMs: 3_600_000,
      withContentLock: WITHOUT_LOCK,
    });

    expect([tooYoung.kept, oldEnough.kept]).toEqual([0, 1]);
  });

  it('calls isReferenced per tenant in batches, and only for old content', async () => {
    const mine = Array.from({ length: 501 }, (_, index) => sha256Of(`mine ${index}`));
    for (const sha256 of mine) {
      await fixture.put(fixture.keyOf(sha256), 'any content');
      await fixture.age(fixture.keyOf(sha256), 25);
    }
    const theirs = await keepOld('theirs', OTHER_TENANT);
    await fixture.keep('young');
    const asked: [string, string[]][] = [];

    const result = await sweepContent(
      fixture.store,
      async (tenantId, sha256s) => {
        asked.push([tenantId, sha256s]);
        return new Set(sha256s);
      },
      { withContentLock: WITHOUT_LOCK },
    );

    expect(result.kept).toBe(0);
    const of = (tenant: string): string[][] =>
      asked.filter(([id]) => id === tenant).map(([, sha256s]) => sha256s);
    expect(of(TENANT).map((batch) => batch.length)).toEqual([500, 1]);
    expect(of(TENANT).flat().sort()).toEqual(mine.sort());
    expect(of(OTHER_TENANT)).toEqual([[theirs]]);
  });

  it('keeps content that is found referenced after it was locked', async () => {
    const sha256 = await keepOld('linked meanwhile');

    const result = await sweepContent(fixture.store, NONE_REFERENCED, { withContentLock: async () => {} });

    expect(result.kept).toBe(0);
    expect(await fixture.store.size(TENANT, sha256)).toBe(16);
  });

  it('lets an upload that waited for the lock store the same bytes again', async () => {
    const sha256 = await keepOld('same bytes');
    const upload = await fixture.store.receive(Readable.from([Buffer.from('same bytes')]), 100);

    await sweepContent(fixture.store, NONE_REFERENCED, { withContentLock: WITHOUT_LOCK });
    await fixture.store.keep(TENANT, upload);

    expect((await bytesOf(await fixture.store.open(TENANT, sha256))).toString()).toBe('same bytes');
  });

  it('can run twice at the same time', async () => {
    const sha256s = await Promise.all(Array.from({ length: 20 }, (_, index) => keepOld(`${index}`)));
    const used = new Set(sha256s.slice(0, 5));

    await Promise.all(
      [1, 2].map(() => sweepContent(fixture.store, async () => used, { withContentLock: WITHOUT_LOCK })),
    );

    const left = (await fixture.files()).map((file) => file.split('/').at(-1));
    expect(left.sort()).toEqual([...used].sort());
    expect(left).toContain(sha256Of('0'));
  });
});
