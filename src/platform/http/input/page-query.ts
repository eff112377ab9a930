import { IsInt, IsString, Matches, Max, Min } from 'class-validator';
import { message } from '../../../common/messages/message.js';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../../common/page.js';
import { Field } from './field.js';
import { CountQuery } from './integer-field.js';
import { QueryField } from './query-field.js';
import { withMessage } from './rule.js';

const LIMIT = { default: DEFAULT_LIMIT, description: 'Maximum number of items on the page' };
const LIMIT_MESSAGE = message('value.whole-number', { max: MAX_LIMIT });

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
  return Field(
    { type: 'integer', format: 'int32', minimum: 1, maximum: MAX_LIMIT, ...LIMIT },
    { nullable: true },
    IsInt(withMessage(LIMIT_MESSAGE)),
    Min(1, withMessage(LIMIT_MESSAGE)),
    Max(MAX_LIMIT, withMessage(LIMIT_MESSAGE)),
  );
}

/** `cursor` of a list that is requested with a body (POST). */
export function CursorField(): PropertyDecorator {
  return Field(CURSOR, { nullable: true }, IsString(withMessage(message('value.string'))), IsCursor());
}
