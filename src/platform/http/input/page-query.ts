import { IsString, Matches } from 'class-validator';
import { message } from '../../../common/messages/message.js';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../../common/page.js';
import { Field } from './field.js';
import { CountField, CountQuery } from './integer-field.js';
import { QueryField } from './query-field.js';
import { withMessage } from './rule.js';

const LIMIT = { default: DEFAULT_LIMIT, description: 'Maximum number of items on the page' };

/** A cursor of a list sorted by name contains the case-folded name of the last row: 200 characters of up to 5 bytes. */
const MAX_CURSOR_LENGTH = 2000;
const CURSOR = {
  type: String,
  minLength: 1,
  maxLength: MAX_CURSOR_LENGTH,
  description: '`nextCursor` of the previous page',
};
const IsCursor = () =>
  Matches(new RegExp(`^[^]{1,${MAX_CURSOR_LENGTH}}$`), withMessage(message('value.cursor')));

export class PageQuery {
  @QueryField(CURSOR, {}, IsCursor())
  cursor?: string;

  @CountQuery(MAX_LIMIT, LIMIT)
  limit?: number;
}

/** `limit` of a list that is requested with a body (POST). */
export function LimitField(): PropertyDecorator {
  return CountField(MAX_LIMIT, { ...LIMIT, nullable: true });
}

/** `cursor` of a list that is requested with a body (POST). */
export function CursorField(): PropertyDecorator {
  return Field(CURSOR, { nullable: true }, IsString(withMessage(message('value.string'))), IsCursor());
}
