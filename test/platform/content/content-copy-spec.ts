import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { copyContents } from '../../../src/platform/content/content-copy.js';
import {
  type ContentFixture,
  OTHER_TENANT,
  S3StoreFixture,
  DiskStoreFixture,
  TENANT,
  bytesOf,
} from '../../support/content-fixtures.js';

describe.each([
  ['disk', 'bucket'],
  ['bucket', 'disk'],
])('copyContents from %s to %s', (kindFrom, kindTo) => {
  let from: ContentFixture;
  let to: ContentFixture;
  const make = (kind: string): Promise<ContentFixture> =>
    kind === 'disk' ? DiskStoreFixture.create() : S3StoreFixture.create();
  beforeEach(async () => {
    [from, to] = await Promise.all([make(kindFrom), make(kindTo)]);
  });
  afterEach(async () => {
    await from.destroy();
    await to.destroy();
  });

  it('copies the contents of all tenants that the target does not have', async () => {
    const hash = await from.keep('one');
    await from.keep('one', OTHER_TENANT);
    await from.keep('two', OTHER_TENANT);
    expect(await copyContents(from.store, to.store)).toEqual({ copied: 3, alreadyThere: 0, damaged: [] });
    expect((await to.files()).sort()).toEqual((await from.files()).sort());
    expect((await bytesOf(await to.store.open(TENANT, hash))).toString()).toBe('one');
    await from.keep('three');
    expect(await copyContents(from.store, to.store)).toEqual({ copied: 1, alreadyThere: 3, damaged: [] });
    expect((await to.files()).sort()).toEqual((await from.files()).sort());
  });

  it('replaces content whose size differs, such as that of an interrupted copy', async () => {
    const hash = await from.keep('one and more');
    await to.put(to.keyOf(hash), 'one');
    expect(await copyContents(from.store, to.store)).toEqual({ copied: 1, alreadyThere: 0, damaged: [] });
    expect((await bytesOf(await to.store.open(TENANT, hash))).toString()).toBe('one and more');
  });

  it('reports damaged contents and does not copy them', async () => {
    await from.keep('good');
    const damaged = await from.keep('some bytes');
    await from.put(from.keyOf(damaged), 'same bytes');
    const result = await copyContents(from.store, to.store);
    expect(result).toMatchObject({ copied: 1, damaged: [{ tenantId: TENANT, sha256: damaged }] });
    expect(await to.files()).not.toContain(to.keyOf(damaged));
    expect((await to.files()).filter((key) => key.startsWith('incoming'))).toEqual([]);
  });
});
