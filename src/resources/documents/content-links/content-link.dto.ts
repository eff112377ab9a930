import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EnumField } from '../../../platform/http/input/enum-field.js';
import { CountField } from '../../../platform/http/input/integer-field.js';
import { MAX_PAGE, MAX_VERSION, MAX_WIDTH } from '../contents/content-limits.js';

/** In seconds. */
const MAX_LIFETIME = 900;

export class CreateContentLinkBody {
  @EnumField(['content', 'preview'], {
    optional: true,
    description: 'What the address returns: the content (default), or a picture of a page of it',
  })
  of?: 'content' | 'preview';

  @CountField(MAX_VERSION, {
    optional: true,
    description:
      'Number of a version of the content. Absent: the newest when the address is used. A preview exists only of the newest.',
  })
  version?: number;

  @EnumField(['attachment', 'inline'], {
    optional: true,
    description: 'As in GetDocumentContent. Without effect on a preview',
  })
  disposition?: 'attachment' | 'inline';

  @CountField(MAX_PAGE, {
    optional: true,
    description: 'As in GetDocumentPreview. Without effect on a content',
  })
  page?: number;

  @CountField(MAX_WIDTH, {
    optional: true,
    description: 'As in GetDocumentPreview. Without effect on a content',
  })
  width?: number;

  @CountField(MAX_LIFETIME, {
    optional: true,
    description: `Seconds until the address expires. Default: ${MAX_LIFETIME}`,
  })
  expiresIn?: number;
}

@ApiSchema({ name: 'ContentLink' })
export class ContentLinkResponse {
  @ApiProperty({
    format: 'uri',
    description: 'Address for GET and HEAD without a token',
    example: 'https://filing.example/api/v1/t/acme/content-links/MDE5YTNjLi4u',
  })
  url!: string;

  @ApiProperty({ format: 'date-time' })
  expiresAt!: string;
}

/** When a link that is created now expires. */
export function expiryOf({ expiresIn = MAX_LIFETIME }: CreateContentLinkBody): Date {
  return new Date(Date.now() + expiresIn * 1000);
}

/** Path and query below the tenant that the link stands for: GetDocumentContent and its siblings. */
export function targetOf(documentId: string, body: CreateContentLinkBody): string {
  const { of, version, disposition, page, width } = body;
  if (of === 'preview') return `documents/${documentId}/preview${queryOf({ version, page, width })}`;
  const content = version === undefined ? 'content' : `versions/${version}/content`;
  return `documents/${documentId}/${content}${queryOf({ disposition })}`;
}

function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const pairs = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`;
}
