import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { PROCESSING_FAILURES } from '../../../common/vocabulary/processing-failures.js';
import { type ListedVersion } from '../contents/document-versions.repository.js';

@ApiSchema({ name: 'ImageSize' })
class ImageSizeResponse {
  @ApiProperty({ type: 'integer', format: 'int32', minimum: 0, example: 1240 })
  width!: number;

  @ApiProperty({ type: 'integer', format: 'int32', minimum: 0, example: 1754 })
  height!: number;
}

@ApiSchema({ name: 'DocumentVersion' })
export class DocumentVersionResponse {
  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 1,
    description: 'Version number, from 1 without gaps',
  })
  number!: number;

  @ApiProperty({ description: 'Whether this is the current version of the document' })
  isNewest!: boolean;

  @ApiProperty({ type: String, nullable: true, example: 'Genehmigung.pdf' })
  fileName!: string | null;

  @ApiProperty({ example: 'application/pdf' })
  mediaType!: string;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'In bytes' })
  size!: number;

  @ApiProperty({
    pattern: '^[0-9a-f]{64}$',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  sha256!: string;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    nullable: true,
    description: 'Null if unknown or not processed yet',
  })
  pageCount!: number | null;

  @ApiProperty({
    type: ImageSizeResponse,
    nullable: true,
    description: 'Size of an image in pixels; null for other contents',
  })
  image!: ImageSizeResponse | null;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    nullable: true,
    description: 'Number of words in its text; null if unknown or not processed yet',
  })
  wordCount!: number | null;

  @ApiProperty({
    enum: PROCESSING_FAILURES,
    nullable: true,
    description:
      'Why its text could not be read; null otherwise. The uploader gets a notification with this reason',
  })
  failure!: string | null;

  @ApiProperty({ format: 'uuid' })
  createdById!: string;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    nullable: true,
    description: 'Number of the version that was restored to create this one; null otherwise',
  })
  restoredFrom!: number | null;
}

export function presentVersion(version: ListedVersion): DocumentVersionResponse {
  const { number, isNewest, fileName, mediaType, size, contentSha256, pageCount } = version;
  const { imageWidth: width, imageHeight: height, wordCount, failure, restoredFrom } = version;
  return {
    number,
    isNewest,
    fileName,
    mediaType,
    size,
    sha256: contentSha256,
    pageCount,
    image: width === null || height === null ? null : { width, height },
    wordCount,
    failure,
    createdById: version.createdBy,
    createdAt: version.createdAt,
    restoredFrom,
  };
}
