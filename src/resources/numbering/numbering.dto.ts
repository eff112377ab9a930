import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { message } from '../../common/messages/message.js';
import { Field } from '../../platform/http/input/field.js';
import { CountField } from '../../platform/http/input/integer-field.js';
import { ReadWith, readName } from '../../platform/http/input/read-with.js';
import { Rule } from '../../platform/http/input/rule.js';
import { MAX_PATTERN, SEQUENCE, patternError } from './number-pattern.js';
import { MAX_SEQUENCE } from './numbering.repository.js';

const PATTERN =
  'Exactly one `{seq}`, or `{seq:4}` with at least four digits; `{yyyy}`, `{yy}` and `{mm}` for year and month; other ' +
  'characters stay as they are. Null or absent: files of this type get no numbers';

export class UpdateNumberingBody {
  @Field(
    { type: String, minLength: 1, maxLength: MAX_PATTERN, pattern: SEQUENCE.source },
    { nullable: true, description: PATTERN, example: 'BAU-{yyyy}-{seq:4}' },
    ReadWith(readName),
    Rule('pattern', patternError),
  )
  pattern?: string | null;

  @CountField(MAX_SEQUENCE, {
    nullable: true,
    description:
      'The number with which the counter of today continues. Must be greater than all numbers it has given. Absent: the counter stays; a new one starts after the greatest number in use.',
    conflict: (body) =>
      (body as UpdateNumberingBody).pattern == null ? message('numbering.next-without-pattern') : null,
  })
  next?: number | null;
}

@ApiSchema({ name: 'Numbering' })
export class NumberingResponse {
  @ApiProperty({ type: String, nullable: true, description: PATTERN, example: 'BAU-{yyyy}-{seq:4}' })
  pattern!: string | null;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    required: false,
    description: 'The number with which the counter of today continues; absent if there is no counter yet',
    example: 412,
  })
  next?: number;
}

@ApiSchema({ name: 'NextNumber' })
export class NextNumberResponse {
  @ApiProperty({ example: 'BAU-2026-0412' })
  number!: string;
}
