import { describe, expect, it } from '@jest/globals';
import { buildBmp, buildGif, buildJpeg, buildPng, buildWebp } from '../../factories/content/image-files.js';
import { buildTiffPictures, withOrientation } from '../../factories/content/pictures.js';
import { extractionOf } from '../../support/extraction.js';
import { extraction } from '../../support/shared-extraction.js';

describe('Reading an image', () => {
  it.each([
    ['image/png', buildPng(640, 480)],
    ['image/jpeg', buildJpeg(640, 480)],
    ['image/gif', buildGif(640, 480)],
    ['image/bmp', buildBmp(640, 480)],
    ['image/webp', buildWebp(640, 480)],
  ])('of type %s returns dimensions and no text', async (mediaType, bytes) => {
    expect(await extraction.extract(bytes, { claimedType: 'text/plain' })).toEqual(
      extractionOf({ mediaType, image: { width: 640, height: 480 } }),
    );
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'with EXIF orientation %i returns the displayed dimensions',
    async (orientation) => {
      const { image } = await extraction.extract(withOrientation(buildJpeg(640, 480), orientation));
      expect(image).toEqual(orientation < 5 ? { width: 640, height: 480 } : { width: 480, height: 640 });
    },
  );

  it('of type TIFF counts its pages without thumbnails', async () => {
    const bytes = buildTiffPictures([
      { width: 2480, height: 3508 },
      { width: 248, height: 351, isThumbnail: true },
      { width: 2480, height: 3508 },
    ]);
    expect(await extraction.extract(bytes)).toEqual(
      extractionOf({
        mediaType: 'image/tiff',
        pageCount: 2,
        image: { width: 2480, height: 3508 },
      }),
    );
  });

  it('of type TIFF applies the orientation', async () => {
    const { image } = await extraction.extract(
      buildTiffPictures([{ width: 640, height: 480, orientation: 6 }]),
    );
    expect(image).toEqual({ width: 480, height: 640 });
  });

  it('of type TIFF with a cycle of pages counts each page once', async () => {
    const bytes = buildTiffPictures(
      [
        { width: 10, height: 10 },
        { width: 10, height: 10 },
      ],
      { circular: true },
    );
    expect((await extraction.extract(bytes)).pageCount).toBe(2);
  });

  it.each([
    ['image/png', Buffer.concat([buildPng(640, 480).subarray(0, 12), Buffer.from('XXXX')])],
    ['image/jpeg', buildJpeg(640, 480).subarray(0, 6)],
    ['image/tiff', buildTiffPictures([{ width: 640, height: 480 }]).subarray(0, 30)],
    ['image/tiff', buildTiffPictures([{ width: 0, height: 480 }])],
  ])('of type %s that is damaged ends with Corrupted', async (mediaType, bytes) => {
    expect(await extraction.extract(bytes)).toEqual(extractionOf({ mediaType, failure: 'Corrupted' }));
  });
});
