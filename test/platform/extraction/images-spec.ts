import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  buildBmp,
  buildGif,
  buildJpeg,
  buildPng,
  buildTiff,
  buildWebp,
} from '../../factories/content/image-files.js';
import { TestExtraction } from '../../support/extraction.js';

describe('Images', () => {
  let extraction: TestExtraction;
  beforeAll(async () => {
    extraction = await TestExtraction.shared();
  });

  it.each([
    ['image/png', buildPng(640, 480)],
    ['image/jpeg', buildJpeg(640, 480)],
    ['image/gif', buildGif(640, 480)],
    ['image/bmp', buildBmp(640, 480)],
    ['image/webp', buildWebp(640, 480)],
  ])('in %s have dimensions and no text', async (mediaType, bytes) => {
    expect(await extraction.extract(bytes, { claimedType: 'text/plain' })).toEqual({
      mediaType,
      pageCount: null,
      image: { width: 640, height: 480 },
      text: null,
      failure: null,
    });
  });

  it.each([1, 2, 3, 4])('with EXIF orientation %i stand as they are stored', async (orientation) => {
    const { image } = await extraction.extract(buildJpeg(640, 480, orientation));
    expect(image).toEqual({ width: 640, height: 480 });
  });

  it.each([5, 6, 7, 8])('with EXIF orientation %i lie on their side', async (orientation) => {
    const { image } = await extraction.extract(buildJpeg(640, 480, orientation));
    expect(image).toEqual({ width: 480, height: 640 });
  });

  it('in TIFF have pages, thumbnails left out', async () => {
    const bytes = buildTiff([
      { width: 2480, height: 3508 },
      { width: 248, height: 351, isThumbnail: true },
      { width: 2480, height: 3508 },
    ]);
    expect(await extraction.extract(bytes)).toEqual({
      mediaType: 'image/tiff',
      pageCount: 2,
      image: { width: 2480, height: 3508 },
      text: null,
      failure: null,
    });
  });

  it('in TIFF may lie on their side, too', async () => {
    const { image } = await extraction.extract(buildTiff([{ width: 640, height: 480, orientation: 6 }]));
    expect(image).toEqual({ width: 480, height: 640 });
  });

  it('in a TIFF whose pages lead back to the first end', async () => {
    const bytes = buildTiff(
      [
        { width: 10, height: 10 },
        { width: 10, height: 10 },
      ],
      { ring: true },
    );
    expect((await extraction.extract(bytes)).pageCount).toBe(2);
  });

  it.each([
    ['image/png', Buffer.concat([buildPng(640, 480).subarray(0, 12), Buffer.from('XXXX')])],
    ['image/jpeg', buildJpeg(640, 480).subarray(0, 6)],
    ['image/tiff', buildTiff([{ width: 640, height: 480 }]).subarray(0, 30)],
    ['image/tiff', buildTiff([{ width: 0, height: 480 }])],
  ])('in a damaged %s are corrupted', async (mediaType, bytes) => {
    expect(await extraction.extract(bytes)).toEqual({
      mediaType,
      pageCount: null,
      image: null,
      text: null,
      failure: 'Corrupted',
    });
  });
});
