import { EnumQuery } from '../../../platform/http/input/enum-field.js';
import { contentTag } from '../../../platform/http/response/content-response.js';
import { type DocumentResponse } from '../document-response.dto.js';

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
