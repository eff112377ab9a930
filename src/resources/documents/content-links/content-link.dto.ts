import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { message } from '../../../common/messages/message.js';
import { EnumField } from '../../../platform/http/input/enum-field.js';
import { CountField } from '../../../platform/http/input/integer-field.js';
import { MAX_PAGE, MAX_VERSION, MAX_WIDTH } from '../contents/content-limits.js';

/** In seconds. */
const MAX_LIFETIME = 900;

type Kind = 'content' | 'preview';

/** A member that one kind of address has; null is the same as absent. */
function onlyOf(kind: Kind) {
  return {
    nullable: true,
    // Nothing if `of` itself is invalid.
    conflict: (body: CreateContentLinkBody) =>
      kindOf(body) === (kind === 'content' ? 'preview' : 'content')
        ? message('value.only-for', { actions: kind })
        : null,
  };
}

/** What the address returns. A page or a width asks for a picture. */
export function kindOf({ of, page, width }: CreateContentLinkBody): Kind {
  return of ?? (page == null && width == null ? 'content' : 'preview');
}

export class CreateContentLinkBody {
  @EnumField(['content', 'preview'], {
    optional: true,
    description:
      'What the address returns: the content, or a picture of a page of it. Absent: a picture if `page` or `width` is given',
  })
  of?: 'content' | 'preview';

  @CountField(MAX_VERSION, {
    optional: true,
    description:
      'Number of a version of the content. Absent: the newest when the address is used. A preview exists only of the newest.',
  })
  version?: number;

  @EnumField(['attachment', 'inline'], {
    ...onlyOf('content'),
    description: 'As in GetDocumentContent. Not for a preview',
  })
  disposition?: 'attachment' | 'inline' | null;

  @CountField(MAX_PAGE, {
    ...onlyOf('preview'),
    description: 'As in GetDocumentPreview. Not for a content',
  })
  page?: number | null;

  @CountField(MAX_WIDTH, {
    ...onlyOf('preview'),
    description: 'As in GetDocumentPreview. Not for a content',
  })
  width?: number | null;

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
  const { version, disposition, page, width } = body;
  if (kindOf(body) === 'preview')
    return `documents/${documentId}/preview${queryOf({ version, page, width })}`;
  const content = version === undefined ? 'content' : `versions/${version}/content`;
  return `documents/${documentId}/${content}${queryOf({ disposition })}`;
}

function queryOf(parameters: Readonly<Record<string, string | number | null | undefined>>): string {
  const pairs = Object.entries(parameters).filter(([, value]) => value != null);
  return pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`;
}
