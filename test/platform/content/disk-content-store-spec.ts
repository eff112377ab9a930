import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { open, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { ContentMissing } from '../../../src/platform/content/content-store.js';
import { storageProblem } from '../../../src/platform/content/disk-content-store.js';
import { listOf, pseudoRandomBytes, DiskStoreFixture, TENANT } from '../../support/content-fixtures.js';
import { waitUntil } from '../../support/wait-until.js';
import { describeContentStore } from './store-contract.js';

describeContentStore('DiskContentStore', () => DiskStoreFixture.create());

describe('DiskContentStore', () => {
  let fixture: DiskStoreFixture;
  beforeEach(async () => {
    fixture = await DiskStoreFixture.create();
  });
  afterEach(async () => {
    await waitUntil(async () => (await fixture.openFiles()).length === 0, 'The end of all reading');
    await fixture.destroy();
  });

  it('writes the unchanged bytes to files', async () => {
    const bytes = pseudoRandomBytes(300_000);

    const received = await fixture.store.receive(Readable.from([bytes]), 1_000_000);
    expect((await readFile(path.join(fixture.directory, 'incoming', received.token))).equals(bytes)).toBe(
      true,
    );

    await fixture.store.keep(TENANT, received);
    expect((await readFile(fixture.pathOf(received.sha256))).equals(bytes)).toBe(true);
  });

  it('gives only the owner access to its files and folders', async () => {
    const sha256 = await fixture.keep('secret');

    const modes = await Promise.all(
      [
        'incoming',
        'objects',
        `objects/${TENANT}`,
        path.dirname(fixture.pathOf(sha256)),
        fixture.pathOf(sha256),
      ].map(async (name) => ((await stat(path.resolve(fixture.directory, name))).mode & 0o777).toString(8)),
    );
    expect(modes).toEqual(['700', '700', '700', '700', '600']);
  });

  it('copies several contents at once, with few buffers', async () => {
    const contents = [1, 2, 3].map((seed) => pseudoRandomBytes(5_000_000 + seed, seed));
    const hashes = await Promise.all(contents.map((bytes) => fixture.keep(bytes)));
    const allocate = jest.spyOn(Buffer, 'allocUnsafeSlow');
    const copies = await Promise.all(
      hashes.map(async (sha256) =>
        fixture.store.receive(
          (await fixture.store.openForCopy(TENANT, sha256)).pipe(new PassThrough()),
          10_000_000,
        ),
      ),
    );
    const allocated = allocate.mock.calls.length;
    allocate.mockRestore();
    expect(copies.map(({ sha256 }) => sha256)).toEqual(hashes);
    expect(allocated).toBeLessThan(60);
  });

  it('closes the file of a copy that is never read', async () => {
    const sha256 = await fixture.keep('hello');
    (await fixture.store.openForCopy(TENANT, sha256)).destroy();
    await waitUntil(async () => (await fixture.openFiles()).length === 0, 'the end of the copy');
    await expect(fixture.store.openForCopy(TENANT, '0'.repeat(64))).rejects.toThrow(ContentMissing);
  });

  it('updates the modification time of content that is kept again', async () => {
    const sha256 = await fixture.keep('hello');
    await fixture.age(fixture.keyOf(sha256), 48);
    const ageInHours = async (): Promise<number> => {
      const [kept] = await listOf(fixture.store.listKept());
      return Math.round((Date.now() - Number(kept?.modifiedAt)) / 3_600_000);
    };
    expect(await ageInHours()).toBe(48);

    await fixture.keep('hello');

    expect(await ageInHours()).toBe(0);
  });

  it('throws a 503 for an unexpected error of the file system', async () => {
    await writeFile(path.join(fixture.directory, 'incoming'), 'a file instead of the folder');
    const source = Readable.from([Buffer.from('hello')]);

    await expect(fixture.store.receive(source, 10)).rejects.toMatchObject({
      code: 'service.unavailable',
      options: { headers: { 'Retry-After': '5' } },
    });
    expect(source.destroyed).toBe(true);
  });

  it('throws a 507 when the disk is full', async () => {
    const full = await open('/dev/full', 'w');
    const error: unknown = await full.write('x').catch((reason: unknown) => reason);
    await full.close();

    expect(storageProblem(error)).toMatchObject({ code: 'content.storage-full', status: 507, cause: error });
  });
});
