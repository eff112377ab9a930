import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PassThrough, Readable } from 'node:stream';
import { ContentMissing, type ContentStore } from '../../../src/platform/content/content-store.js';
import {
  bytesOf,
  type ContentFixture,
  listOf,
  OTHER_TENANT,
  pseudoRandomBytes,
  sha256Of,
  TENANT,
} from '../../support/content-fixtures.js';
import { waitUntil } from '../../support/wait-until.js';

const MEBIBYTE = 1024 * 1024;

export interface ContractOptions {
  /** Size of the parts into which the store divides contents, in bytes. */
  readonly partSize?: number;
  readonly reportsOpenFiles?: boolean;
}

/** Tests that every implementation of {@link ContentStore} must pass. */
export function describeContentStore(
  name: string,
  create: () => Promise<ContentFixture>,
  { partSize = MEBIBYTE, reportsOpenFiles = true }: ContractOptions = {},
): void {
  describe(`${name} as a content store`, () => {
    let fixture: ContentFixture;
    let store: ContentStore;
    beforeEach(async () => {
      fixture = await create();
      store = fixture.store;
    });
    afterEach(async () => {
      await waitUntil(async () => (await fixture.openFiles()).length === 0);
      await fixture.destroy();
    });

    function chunksOf(bytes: Buffer, size: number): Readable {
      return Readable.from(
        Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        ),
      );
    }

    function endless(): Readable & { taken: number } {
      const source = Object.assign(
        new Readable({
          read() {
            source.taken += 65_536;
            this.push(Buffer.alloc(65_536));
          },
        }),
        { taken: 0 },
      );
      return source;
    }

    describe('receive', () => {
      it('stores the bytes in a temporary place and returns size and hash', async () => {
        const bytes = pseudoRandomBytes(300_000);

        const received = await store.receive(chunksOf(bytes, 7001), MEBIBYTE);

        expect(received).toEqual({ token: expect.any(String), sha256: sha256Of(bytes), size: 300_000 });
        expect(await fixture.files()).toEqual([`incoming/${received.token}`]);
      });

      it('accepts empty content', async () => {
        const received = await store.receive(Readable.from([]), 10);
        expect(received).toMatchObject({ size: 0, sha256: sha256Of('') });

        await store.keep(TENANT, received);

        expect(await store.size(TENANT, received.sha256)).toBe(0);
        expect(await bytesOf(await store.open(TENANT, received.sha256))).toHaveLength(0);
      });

      it.each([
        ['less than one part', partSize - 1],
        ['exactly one part', partSize],
        ['one part and one byte', partSize + 1],
        ['two and a half parts', Math.floor(2.4 * partSize)],
      ])('accepts content of %s', async (_, size) => {
        const bytes = pseudoRandomBytes(size, size);

        const received = await store.receive(chunksOf(bytes, 100_003), size);
        expect(received).toMatchObject({ sha256: sha256Of(bytes), size });
        await store.keep(TENANT, received);

        expect((await bytesOf(await store.open(TENANT, received.sha256))).equals(bytes)).toBe(true);
        expect(await fixture.files()).toEqual([fixture.keyOf(received.sha256)]);
      });

      it('accepts content up to the limit and throws a 413 above it', async () => {
        await expect(store.receive(Readable.from([Buffer.alloc(10)]), 10)).resolves.toMatchObject({
          size: 10,
        });

        const source = Readable.from([Buffer.alloc(10), Buffer.alloc(1)]);
        await expect(store.receive(source, 10)).rejects.toMatchObject({
          code: 'request.too-large',
          status: 413,
        });
        expect(source.destroyed).toBe(true);
        expect(await fixture.files()).toHaveLength(1);
      });

      it.each([partSize / 2, 4 * partSize])(
        'stops reading an endless source at the limit of %d bytes',
        async (limit) => {
          const source = endless();

          await expect(store.receive(source, limit)).rejects.toMatchObject({
            code: 'request.too-large',
          });

          expect(source.taken).toBeLessThan(limit + MEBIBYTE);
          expect(await fixture.files()).toEqual([]);
        },
      );

      it.each([1000, 2.5 * partSize])(
        'fails with the error of its source after %d bytes and leaves no files',
        async (before) => {
          const source = new PassThrough({ highWaterMark: 1 });
          const receiving = store.receive(source, 100 * MEBIBYTE);
          receiving.catch(() => undefined);
          await new Promise((resolve) => source.write(Buffer.alloc(before), resolve));

          source.destroy(new Error('hung up'));

          await expect(receiving).rejects.toThrow('hung up');
          expect(await fixture.files()).toEqual([]);
        },
      );

      it('handles a source that fails immediately', async () => {
        const source = new PassThrough();
        const receiving = store.receive(source, MEBIBYTE);
        source.destroy(new Error('hung up at once'));

        await expect(receiving).rejects.toThrow('hung up at once');
        expect(await fixture.files()).toEqual([]);
      });

      it('fails when the source is closed before its end', async () => {
        const source = new PassThrough();
        source.write(Buffer.alloc(1000));
        const receiving = store.receive(source, MEBIBYTE);
        source.destroy();

        await expect(receiving).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
        expect(await fixture.files()).toEqual([]);
      });
    });

    describe('keep', () => {
      it('moves the bytes to a key made from their hash', async () => {
        const sha256 = await fixture.keep('hello');

        expect(sha256).toBe(sha256Of('hello'));
        expect(await fixture.files()).toEqual([fixture.keyOf(sha256)]);
      });

      it('can be repeated', async () => {
        const received = await store.receive(Readable.from([Buffer.from('hello')]), 10);

        await store.keep(TENANT, received);
        await store.keep(TENANT, received);

        expect((await bytesOf(await store.open(TENANT, received.sha256))).toString()).toBe('hello');
        expect(await fixture.files()).toEqual([fixture.keyOf(received.sha256)]);
      });

      it('stores the same bytes once', async () => {
        await fixture.keep('hello');
        await fixture.keep('hello');

        expect(await fixture.files()).toEqual([fixture.keyOf(sha256Of('hello'))]);
      });

      it('replaces damaged content of another size', async () => {
        const sha256 = await fixture.keep('hello');
        await fixture.put(fixture.keyOf(sha256), 'he');

        await fixture.keep('hello');

        expect((await bytesOf(await store.open(TENANT, sha256))).toString()).toBe('hello');
      });

      it('does not share content between tenants', async () => {
        const sha256 = await fixture.keep('hello', OTHER_TENANT);

        await expect(store.open(TENANT, sha256)).rejects.toBeInstanceOf(ContentMissing);
        await fixture.keep('hello', TENANT);
        expect(await fixture.files()).toHaveLength(2);
      });

      it('throws ContentMissing when the received bytes were discarded', async () => {
        const received = await store.receive(Readable.from([Buffer.from('hello')]), 10);
        await store.discard(received);

        await expect(store.keep(TENANT, received)).rejects.toBeInstanceOf(ContentMissing);
      });

      it('can run concurrently for the same bytes', async () => {
        const received = await Promise.all(
          Array.from({ length: 10 }, () => store.receive(Readable.from([Buffer.from('hello')]), 10)),
        );

        await Promise.all(received.map((each) => store.keep(TENANT, each)));

        expect(await fixture.files()).toEqual([fixture.keyOf(sha256Of('hello'))]);
      });
    });

    describe('discard and remove', () => {
      it('remove the bytes and can be repeated', async () => {
        const received = await store.receive(Readable.from([Buffer.from('hello')]), 10);
        await store.discard(received);
        await store.discard(received);
        expect(await fixture.files()).toEqual([]);

        const sha256 = await fixture.keep('hello');
        await store.remove(TENANT, sha256);
        await store.remove(TENANT, sha256);
        expect(await fixture.files()).toEqual([]);
      });

      it('removeAll removes everything of one tenant and can be repeated', async () => {
        const key = fixture.keyOf(await fixture.keep('hello'));
        await fixture.keep('world');
        await fixture.put(`${key}.part`, 'not a content');
        await fixture.put(`${key.slice(0, -68)}/README`, 'not a content');
        const other = fixture.keyOf(await fixture.keep('hello', OTHER_TENANT), OTHER_TENANT);

        await store.removeAll(TENANT);
        await store.removeAll(TENANT);

        expect(await fixture.files()).toEqual([other]);
        await fixture.keep('hello');
        expect(await fixture.files()).toHaveLength(2);
      });

      it('discard does not remove content that was kept', async () => {
        const received = await store.receive(Readable.from([Buffer.from('hello')]), 10);
        await store.keep(TENANT, received);

        await store.discard(received);

        expect(await store.size(TENANT, received.sha256)).toBe(5);
      });
    });

    describe('open', () => {
      it('returns all bytes, or a range including both ends', async () => {
        const bytes = pseudoRandomBytes(200_000);
        const sha256 = await fixture.keep(bytes);

        expect((await bytesOf(await store.open(TENANT, sha256))).equals(bytes)).toBe(true);
        const range = await bytesOf(await store.open(TENANT, sha256, { start: 99_999, end: 150_000 }));
        expect(range.equals(bytes.subarray(99_999, 150_001))).toBe(true);
        expect(await bytesOf(await store.open(TENANT, sha256, { start: 0, end: 0 }))).toHaveLength(1);
      });

      it('throws ContentMissing instead of returning a stream', async () => {
        await expect(store.open(TENANT, sha256Of('nothing'))).rejects.toBeInstanceOf(ContentMissing);
        await expect(store.size(TENANT, sha256Of('nothing'))).rejects.toBeInstanceOf(ContentMissing);
      });

      it('releases the resources of a stream that is destroyed before its end', async () => {
        const bytes = 'x'.repeat(9_000_000);
        await fixture.put(fixture.keyOf(sha256Of(bytes)), bytes);
        const stream = await store.open(TENANT, sha256Of(bytes));
        await new Promise((resolve) => stream.once('readable', resolve));
        expect(await fixture.openFiles()).toHaveLength(reportsOpenFiles ? 1 : 0);

        stream.destroy();

        await waitUntil(async () => (await fixture.openFiles()).length === 0);
      });
    });

    it.each(['', '..', '../../etc', 'a/b', `${TENANT}/..`, `${TENANT}\u0000`])(
      'rejects an invalid token, tenant or hash: %j',
      async (name) => {
        const sha256 = sha256Of('hello');
        const received = { token: name, sha256, size: 5 };
        await expect(store.keep(TENANT, received)).rejects.toThrow('Not a token');
        await expect(store.discard(received)).rejects.toThrow('Not a token');
        await expect(store.open(name, sha256)).rejects.toThrow('Not the id');
        await expect(store.open(TENANT, name)).rejects.toThrow('Not a SHA-256');
        await expect(store.remove(TENANT, `${sha256.slice(0, 60)}/../`)).rejects.toThrow('Not a SHA-256');
        await expect(store.size(TENANT, sha256.toUpperCase())).rejects.toThrow('Not a SHA-256');
      },
    );

    it('ignores the case of the tenant id', async () => {
      const sha256 = await fixture.keep('hello');

      await expect(store.removeAll(name)).rejects.toThrow('Not the id');
      expect(await store.size(TENANT.toUpperCase(), sha256)).toBe(5);
    });

    it('lists temporary and kept content and ignores other files', async () => {
      const received = await store.receive(Readable.from([Buffer.from('temporary')]), 100);
      const [one, two] = [await fixture.keep('one'), await fixture.keep('two', OTHER_TENANT)];
      const folder = fixture.keyOf(one).slice(0, -65);
      for (const key of ['incoming/README', 'objects/README', `${folder}/README`]) {
        await fixture.put(key, 'not mine');
      }

      const temporary = await listOf(store.listTemporary());
      const kept = await listOf(store.listKept());

      expect(temporary.map(({ token }) => token)).toEqual([received.token]);
      expect(kept.map(({ tenantId, sha256 }) => [tenantId, sha256]).sort()).toEqual([
        [TENANT, one],
        [OTHER_TENANT, two],
      ]);
      for (const { modifiedAt } of [...temporary, ...kept]) {
        expect(Math.abs(Date.now() - modifiedAt.getTime())).toBeLessThan(60_000);
      }
    });

    it('lists nothing in an empty store', async () => {
      expect(await listOf(store.listTemporary())).toEqual([]);
      expect(await listOf(store.listKept())).toEqual([]);
    });
  });
}
