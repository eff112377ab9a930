import { EnumQuery } from '../../../platform/http/input/enum-field.js';
import { contentTag } from '../../../platform/http/response/content-response.js';
import { type DocumentResponse } from '../document-response.dto.js';

export class ContentQuery {
  @EnumQuery(['attachment', 'inline'], {
    description:
      'What a browser is to do with the content: keep it, as without, or show it, which only those media types are for that cannot run scripts. Others are an attachment all the same',
  })
  disposition?: 'attachment' | 'inline';
}

/** Entity tag of the content, which is what the request was about (RFC 9110, 9.3.4). */
export function contentEntityTag(answer: object): string {
  return contentTag((answer as DocumentResponse).content?.sha256 ?? '');
}
