import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type Message, message } from '../../../common/messages/message.js';
import { textError } from '../../../common/text-error.js';
import { wordsOf } from '../../../common/words.js';
import { CountQuery } from '../../../platform/http/input/integer-field.js';
import { QueryField } from '../../../platform/http/input/query-field.js';
import { ReadWith, readText } from '../../../platform/http/input/read-with.js';
import { Rule } from '../../../platform/http/input/rule.js';

const MIN_LENGTH = 2;
const MAX_LENGTH = 200;
const MAX_WORDS = 20;
const MAX_SUGGESTIONS = 20;
export const DEFAULT_SUGGESTIONS = 10;

export const SUGGESTION_KINDS = ['Document', 'Word', 'Tag', 'File'] as const;
export type SuggestionKind = (typeof SUGGESTION_KINDS)[number];

export class ListSuggestionsQuery {
  @QueryField(
    { type: String, minLength: MIN_LENGTH, maxLength: MAX_LENGTH },
    {
      description: 'What the user has typed so far; the last word may be incomplete. Absent: no suggestions',
      example: 'Grundst',
    },
    ReadWith(readText),
    Rule('suggestions', suggestionsError),
  )
  q?: string;

  @CountQuery(MAX_SUGGESTIONS, { description: 'Maximum number of items on the page' })
  limit?: number;
}

function suggestionsError(value: unknown): Message | null {
  const error = textError(value, MIN_LENGTH, MAX_LENGTH);
  if (error !== null) return error;
  const words = [...wordsOf(value as string)].length;
  if (words === 0) return message('value.no-words');
  return words > MAX_WORDS ? message('value.max-words', { max: MAX_WORDS }) : null;
}

@ApiSchema({ name: 'Suggestion' })
export class SuggestionResponse {
  @ApiProperty({ enum: [...SUGGESTION_KINDS] })
  kind!: SuggestionKind;

  @ApiProperty({
    description:
      'The title of a document, the name of a tag, the number and name of a file, or a word as a title or text has it; rarely in lower case without marks',
    example: 'Grundsteuerbescheid 2026',
  })
  text!: string;

  @ApiProperty({ format: 'uuid', required: false, description: 'Absent for words' })
  id?: string;
}

@ApiSchema({ name: 'Suggestions' })
export class SuggestionsResponse {
  @ApiProperty({ type: [SuggestionResponse], description: 'Grouped by kind' })
  items!: SuggestionResponse[];
}
