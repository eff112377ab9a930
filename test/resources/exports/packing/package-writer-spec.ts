import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import yauzl from 'yauzl';
import { PackageWriter } from '../../../../src/resources/exports/packing/package-writer.js';
import { sized } from '../../../support/exhaustive.js';

/** More than ZIP without ZIP64 can count. */
const ENTRIES = sized(300, 66_000);
const NOW = '2026-01-02T03:04:06.000Z';

describe('PackageWriter', () => {
  let folder: string;
  let writer: PackageWriter;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'filing-package-'));
    await mkdir(path.join(folder, 'spool'));
    writer = new PackageWriter(path.join(folder, 'spool'), NOW);
  });
  afterEach(async () => {
    writer.close();
    await rm(folder, { recursive: true });
  });

  const contentOf = (text: string) => ({
    size: Buffer.byteLength(text),
    modifiedAt: NOW,
    open: () => Readable.from([Buffer.from(text)]),
  });
  const add = (name: string, text: string, hashed = text) =>
    writer.add(name, contentOf(text), createHash('sha256').update(hashed).digest('hex'));

  it('lists every entry at the end', async () => {
    const file = path.join(folder, 'package.zip');
    const written = pipeline(writer.output, createWriteStream(file));
    for (let number = 0; number < ENTRIES; number += 1) await add(`data/${number}.txt`, String(number));
    await writer.end({});
    await written;
    const zip = await yauzl.openPromise(file, { lazyEntries: true });
    const names = new Set<string>();
    for await (const entry of zip.eachEntry()) names.add(entry.fileName);
    // With bagit.txt, bag-info.txt and two manifests.
    expect([zip.entryCount, names.size]).toEqual([ENTRIES + 4, ENTRIES + 4]);
  });

  it('has no earlier times than ZIP has', async () => {
    const file = path.join(folder, 'package.zip');
    const written = pipeline(writer.output, createWriteStream(file));
    const content = { ...contentOf('x'), modifiedAt: '1970-01-01T00:00:00.000Z' };
    await writer.add('data/old.txt', content, createHash('sha256').update('x').digest('hex'));
    await writer.end({});
    await written;
    const zip = await yauzl.openPromise(file, { lazyEntries: true });
    const [first] = [await zip.eachEntry().next()];
    expect((first.value as yauzl.Entry).getLastModDate().getUTCFullYear()).toBe(1980);
    zip.close();
  });

  it.each([
    ['other bytes', 'Tent', 'Text'],
    ['fewer bytes', 'Tex', 'Text'],
  ])('rejects %s than the hash says', async (_title, bytes, hashed) => {
    writer.output.resume();
    const content = { ...contentOf(bytes), size: hashed.length };
    const adding = writer.add('data/x.txt', content, createHash('sha256').update(hashed).digest('hex'));
    await expect(adding).rejects.toThrow('ContentDamaged (data/x.txt)');
  });

  it('ends when its reader stops', async () => {
    writer.output.destroy();
    await expect(add('data/x.txt', 'Text')).rejects.toThrow('Premature close');
  });
});
