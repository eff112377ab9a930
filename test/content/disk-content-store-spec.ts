import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { open, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { ContentMissing } from '../../src/content/content-store.js';
import { storageProblem } from '../../src/content/disk-content-store.js';
import {
  bytesOf,
  eventually,
  listOf,
  OTHER_TENANT,
  pseudoRandomBytes,
  sha256Of,
  StoreFixture,
  TENANT,
} from '../support/content-fixtures.js';

const MEBIBYTE = 1024 * 1024;

describe('DiskContentStore', () => {
  let fixture: StoreFixture;
  beforeEach(async () => {
    fixture = await StoreFixture.create();
  });
  afterEach(async () => {
    expect(await fixture.openFiles()).toEqual([]);
    await fixture.destroy();
  });

  function chunksOf(bytes: Buffer, size: number): Readable {
    return Readable.from(
      Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      ),
    );
  }

  describe('receive', () => {
    it('writes the bytes to a temporary file, counted and hashed', async () => {
      const bytes = pseudoRandomBytes(300_000);

      const received = await fixture.store.receive(chunksOf(bytes, 7001), MEBIBYTE);

      expect(received).toEqual({ token: expect.any(String), sha256: sha256Of(bytes), size: 300_000 });
      expect(await fixture.files()).toEqual([`incoming/${received.token}`]);
      expect((await readFile(path.join(fixture.directory, 'incoming', received.token))).equals(bytes)).toBe(
        true,
      );
    });

    it('takes an empty content', async () => {
      const received = await fixture.store.receive(Readable.from([]), 10);

      expect(received).toMatchObject({ size: 0, sha256: sha256Of('') });
    });

    it('lets nobody else read what it stores', async () => {
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

    it('takes as much as the limit, and not one byte more', async () => {
      await expect(fixture.store.receive(Readable.from([Buffer.alloc(10)]), 10)).resolves.toMatchObject({
        size: 10,
      });

      const source = Readable.from([Buffer.alloc(10), Buffer.alloc(1)]);
      await expect(fixture.store.receive(source, 10)).rejects.toMatchObject({
        code: 'request.too-large',
        status: 413,
      });
      expect(source.destroyed).toBe(true);
      expect(await fixture.files()).toHaveLength(1);
    });

    it('stops reading at the limit, so that an endless source comes to an end', async () => {
      let taken = 0;
      const endless = new Readable({
        read() {
          taken += 65_536;
          this.push(Buffer.alloc(65_536));
        },
      });

      await expect(fixture.store.receive(endless, MEBIBYTE)).rejects.toMatchObject({
        code: 'request.too-large',
      });

      expect(taken).toBeLessThan(2 * MEBIBYTE);
      expect(await fixture.files()).toEqual([]);
    });

    it('fails with the fault of its source and leaves nothing', async () => {
      const source = new PassThrough();
      source.write(Buffer.alloc(1000));
      const receiving = fixture.store.receive(source, MEBIBYTE);
      await eventually(async () => (await fixture.files()).length === 1);

      source.destroy(new Error('hung up'));

      await expect(receiving).rejects.toThrow('hung up');
      expect(await fixture.files()).toEqual([]);
    });

    it('survives a source that fails before the file is open', async () => {
      const source = new PassThrough();
      const receiving = fixture.store.receive(source, MEBIBYTE);
      source.destroy(new Error('hung up at once'));

      await expect(receiving).rejects.toThrow('hung up at once');
      expect(await fixture.files()).toEqual([]);
    });

    it('does not take a source for complete that was closed in the middle', async () => {
      const source = new PassThrough();
      source.write(Buffer.alloc(1000));
      const receiving = fixture.store.receive(source, MEBIBYTE);
      source.destroy();

      await expect(receiving).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
      expect(await fixture.files()).toEqual([]);
    });
  });

  describe('keep', () => {
    it('moves the bytes to a place named by their hash', async () => {
      const sha256 = await fixture.keep('hello');

      expect(sha256).toBe(sha256Of('hello'));
      expect(await fixture.files()).toEqual([`objects/${TENANT}/${sha256.slice(0, 2)}/${sha256}`]);
    });

    it('may be repeated', async () => {
      const received = await fixture.store.receive(Readable.from([Buffer.from('hello')]), 10);

      await fixture.store.keep(TENANT, received);
      await fixture.store.keep(TENANT, received);

      expect((await bytesOf(await fixture.store.open(TENANT, received.sha256))).toString()).toBe('hello');
    });

    it('stores the same bytes once, and as young as the last upload', async () => {
      const sha256 = await fixture.keep('hello');
      await fixture.age(fixture.pathOf(sha256), 48);

      await fixture.keep('hello');

      expect(await fixture.files()).toHaveLength(1);
      expect(Date.now() - (await stat(fixture.pathOf(sha256))).mtimeMs).toBeLessThan(3_600_000);
    });

    it('puts right what is damaged to another size', async () => {
      const sha256 = await fixture.keep('hello');
      await truncate(fixture.pathOf(sha256), 2);

      await fixture.keep('hello');

      expect((await bytesOf(await fixture.store.open(TENANT, sha256))).toString()).toBe('hello');
    });

    it('stores nothing across tenants', async () => {
      const sha256 = await fixture.keep('hello', OTHER_TENANT);

      await expect(fixture.store.open(TENANT, sha256)).rejects.toBeInstanceOf(ContentMissing);
      await fixture.keep('hello', TENANT);
      expect(await fixture.files()).toHaveLength(2);
    });

    it('fails when the bytes are nowhere', async () => {
      const received = await fixture.store.receive(Readable.from([Buffer.from('hello')]), 10);
      await fixture.store.discard(received);

      await expect(fixture.store.keep(TENANT, received)).rejects.toBeInstanceOf(ContentMissing);
    });

    it('lets many keep the same bytes at once', async () => {
      const received = await Promise.all(
        Array.from({ length: 10 }, () => fixture.store.receive(Readable.from([Buffer.from('hello')]), 10)),
      );

      await Promise.all(received.map((each) => fixture.store.keep(TENANT, each)));

      expect(await fixture.files()).toEqual([
        path.relative(fixture.directory, fixture.pathOf(sha256Of('hello'))),
      ]);
    });
  });

  describe('discard and remove', () => {
    it('leave nothing and may be repeated', async () => {
      const received = await fixture.store.receive(Readable.from([Buffer.from('hello')]), 10);
      await fixture.store.discard(received);
      await fixture.store.discard(received);
      expect(await fixture.files()).toEqual([]);

      const sha256 = await fixture.keep('hello');
      await fixture.store.remove(TENANT, sha256);
      await fixture.store.remove(TENANT, sha256);
      expect(await fixture.files()).toEqual([]);
    });

    it('leave alone what was kept', async () => {
      const received = await fixture.store.receive(Readable.from([Buffer.from('hello')]), 10);
      await fixture.store.keep(TENANT, received);

      await fixture.store.discard(received);

      expect(await fixture.store.size(TENANT, received.sha256)).toBe(5);
    });
  });

  describe('open', () => {
    it('reads everything, or a range with both its ends', async () => {
      const bytes = pseudoRandomBytes(200_000);
      const sha256 = await fixture.keep(bytes);

      expect((await bytesOf(await fixture.store.open(TENANT, sha256))).equals(bytes)).toBe(true);
      const range = await bytesOf(await fixture.store.open(TENANT, sha256, { start: 99_999, end: 150_000 }));
      expect(range.equals(bytes.subarray(99_999, 150_001))).toBe(true);
      expect(await bytesOf(await fixture.store.open(TENANT, sha256, { start: 0, end: 0 }))).toHaveLength(1);
    });

    it('says that bytes are missing before it gives a stream', async () => {
      await expect(fixture.store.open(TENANT, sha256Of('nothing'))).rejects.toBeInstanceOf(ContentMissing);
      await expect(fixture.store.size(TENANT, sha256Of('nothing'))).rejects.toBeInstanceOf(ContentMissing);
    });

    it('closes the file of a stream that is destroyed', async () => {
      const stream = await fixture.store.open(TENANT, await fixture.keep(pseudoRandomBytes(500_000)));
      await new Promise((resolve) => stream.once('readable', resolve));
      expect(await fixture.openFiles()).toHaveLength(1);

      stream.destroy();

      await eventually(async () => (await fixture.openFiles()).length === 0);
    });
  });

  it.each(['', '..', '../../etc', 'a/b', `${TENANT}/..`, `${TENANT}\u0000`])(
    'makes no path of what is not an id: %j',
    async (name) => {
      const sha256 = sha256Of('hello');
      const received = { token: name, sha256, size: 5 };
      await expect(fixture.store.keep(TENANT, received)).rejects.toThrow('Not a token');
      await expect(fixture.store.discard(received)).rejects.toThrow('Not a token');
      await expect(fixture.store.open(name, sha256)).rejects.toThrow('Not the id');
      await expect(fixture.store.open(TENANT, name)).rejects.toThrow('Not a SHA-256');
      await expect(fixture.store.remove(TENANT, `${sha256.slice(0, 60)}/../`)).rejects.toThrow(
        'Not a SHA-256',
      );
      await expect(fixture.store.size(TENANT, sha256.toUpperCase())).rejects.toThrow('Not a SHA-256');
    },
  );

  it('finds its files whatever the letter case of the tenant', async () => {
    const sha256 = await fixture.keep('hello');

    expect(await fixture.store.size(TENANT.toUpperCase(), sha256)).toBe(5);
  });

  it('lists what is temporary and what is kept, and nothing else', async () => {
    const received = await fixture.store.receive(Readable.from([Buffer.from('temporary')]), 100);
    const [one, two] = [await fixture.keep('one'), await fixture.keep('two', OTHER_TENANT)];
    await fixture.age(fixture.pathOf(one), 5);
    await writeFile(path.join(fixture.directory, 'incoming', 'README'), '');
    await writeFile(path.join(fixture.directory, 'objects', 'README'), '');
    await writeFile(path.join(path.dirname(fixture.pathOf(one)), 'README'), '');

    const temporary = await listOf(fixture.store.listTemporary());
    const kept = await listOf(fixture.store.listKept());

    expect(temporary.map(({ token }) => token)).toEqual([received.token]);
    expect(Date.now() - Number(temporary[0]?.modifiedAt)).toBeLessThan(3_600_000);
    expect(kept.map(({ tenantId, sha256 }) => [tenantId, sha256]).sort()).toEqual([
      [TENANT, one],
      [OTHER_TENANT, two],
    ]);
    const age = Date.now() - Number(kept.find(({ sha256 }) => sha256 === one)?.modifiedAt);
    expect(Math.round(age / 3_600_000)).toBe(5);
  });

  it('lists nothing before anything was stored', async () => {
    expect(await listOf(fixture.store.listTemporary())).toEqual([]);
    expect(await listOf(fixture.store.listKept())).toEqual([]);
  });

  it('answers 503 when the file system does not do as it should', async () => {
    await writeFile(path.join(fixture.directory, 'incoming'), 'in the way');
    const source = Readable.from([Buffer.from('hello')]);

    await expect(fixture.store.receive(source, 10)).rejects.toMatchObject({
      code: 'service.unavailable',
      options: { headers: { 'Retry-After': '5' } },
    });
    expect(source.destroyed).toBe(true);
  });

  it('answers 507 when the disk is full', async () => {
    const full = await open('/dev/full', 'w');
    const error: unknown = await full.write('x').catch((reason: unknown) => reason);
    await full.close();

    expect(storageProblem(error)).toMatchObject({ code: 'content.storage-full', status: 507, cause: error });
  });
});
