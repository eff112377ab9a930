import { IsInt, IsString, Matches, Max, Min } from 'class-validator';
import { message } from '../../../common/messages/message.js';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../../common/page.js';
import { Field } from './field.js';
import { QueryField } from './query-field.js';
import { Rule, withMessage } from './rule.js';

const LIMIT = {
  type: 'integer',
  format: 'int32',
  minimum: 1,
  maximum: MAX_LIMIT,
  default: DEFAULT_LIMIT,
  description: 'How many items a page has at most',
} as const;
const LIMIT_MESSAGE = message('value.whole-number', { max: MAX_LIMIT });

/** Lists by name carry the folded name of the last row in the cursor: 200 characters of up to 5 bytes each. */
const MAX_CURSOR_LENGTH = 2000;
const CURSOR = {
  type: String,
  minLength: 1,
  maxLength: MAX_CURSOR_LENGTH,
  description: '`nextCursor` of the previous page',
};
const IsCursor = () =>
  Matches(new RegExp(`^[^]{1,${MAX_CURSOR_LENGTH}}$`), withMessage(message('value.cursor')));

/** What every cursor-paged list takes. */
export class PageQuery {
  @QueryField(CURSOR, {}, IsCursor())
  cursor?: string;

  /** As sent: decimal digits. */
  @QueryField(LIMIT, {}, Rule('limit', (value) => (isLimit(value as string) ? null : LIMIT_MESSAGE)))
  limit?: string;
}

function isLimit(text: string): boolean {
  return /^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_LIMIT;
}

/** `limit` of a list that is asked for by a body. */
export function LimitField(): PropertyDecorator {
  return Field(
    LIMIT,
    { optional: true, nullable: true },
    IsInt(withMessage(LIMIT_MESSAGE)),
    Min(1, withMessage(LIMIT_MESSAGE)),
    Max(MAX_LIMIT, withMessage(LIMIT_MESSAGE)),
  );
}

/** `cursor` of a list that is asked for by a body. */
export function CursorField(): PropertyDecorator {
  return Field(
    CURSOR,
    { optional: true, nullable: true },
    IsString(withMessage(message('value.string'))),
    IsCursor(),
  );
}
