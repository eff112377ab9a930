import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { PROCESSING_FAILURES } from '../../../common/vocabulary/processing-failures.js';
import { EnumQuery } from '../../../platform/http/input/enum-field.js';
import { contentTag } from '../../../platform/http/response/content-response.js';
import { type ListedVersion } from '../contents/document-versions.repository.js';
import { type DocumentResponse, PAGE_COUNT, SHA256 } from '../document-response.dto.js';

export class ContentQuery {
  @EnumQuery(['attachment', 'inline'], {
    description:
      'Whether a browser saves the content (`attachment`, the default) or displays it (`inline`). Media types that can run scripts are always sent as an attachment',
  })
  disposition?: 'attachment' | 'inline';
}

/** Entity tag of the content, because the content is the target of the request (RFC 9110, 9.3.4). */
export function contentEntityTag(answer: object): string {
  return contentTag((answer as DocumentResponse).content?.sha256 ?? '');
}

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

  @ApiProperty(SHA256)
  sha256!: string;

  @ApiProperty(PAGE_COUNT)
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
