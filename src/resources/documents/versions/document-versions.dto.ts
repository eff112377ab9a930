import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { PROCESSING_FAILURES } from '../../../common/vocabulary/processing-failures.js';
import { PageQuery } from '../../../platform/http/input/page-query.js';
import { type ListedVersion } from '../contents/document-versions.repository.js';

export class ListDocumentVersionsQuery extends PageQuery {}

@ApiSchema({ name: 'ImageSize' })
class ImageSizeResponse {
  @ApiProperty({ type: 'integer', format: 'int32', minimum: 0, example: 1240 })
  width!: number;

  @ApiProperty({ type: 'integer', format: 'int32', minimum: 0, example: 1754 })
  height!: number;
}

@ApiSchema({ name: 'DocumentVersion' })
export class DocumentVersionResponse {
  @ApiProperty({ type: 'integer', format: 'int32', minimum: 1, description: 'From 1, without gaps' })
  number!: number;

  @ApiProperty({ description: 'Whether the document has this content now' })
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
    description: 'Null while, or if, nobody knows',
  })
  pageCount!: number | null;

  @ApiProperty({ type: ImageSizeResponse, nullable: true, description: 'In pixels, of an image' })
  image!: ImageSizeResponse | null;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    nullable: true,
    description: 'Words of its text; null while, or if, nobody knows',
  })
  wordCount!: number | null;

  @ApiProperty({
    type: String,
    enum: PROCESSING_FAILURES,
    nullable: true,
    description: 'Why its text could not be read; its uploader is notified with this reason',
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
    description: 'Number of the version whose content was made the newest again',
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
