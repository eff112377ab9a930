import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type Language } from '../../../common/messages/languages.js';
import { message } from '../../../common/messages/message.js';
import { Problem } from '../../../common/problem.js';
import { EnumField } from '../../../platform/http/input/enum-field.js';
import { UuidListField } from '../../../platform/http/input/uuid-field.js';
import { type ChangeOutcome } from '../changes/document-changes.js';

/** What can be done to many documents, and what it takes. */
const TARGET_MEMBERS = {
  Tag: 'tagIds',
  Untag: 'tagIds',
  File: 'fileIds',
  Unfile: 'fileIds',
  Archive: null,
  Unarchive: null,
  Delete: null,
  Restore: null,
} as const;

export type BulkAction = keyof typeof TARGET_MEMBERS;

const ACTIONS = Object.keys(TARGET_MEMBERS) as BulkAction[];

/** As many documents as one request can change, and tags or files as it can name. */
const MAX_DOCUMENTS = 500;
const MAX_TARGETS = 20;

/** What some actions take, and the others must not be given. */
function TargetsField(member: 'tagIds' | 'fileIds', what: string, example?: string[]): PropertyDecorator {
  const takers = ACTIONS.filter((action) => TARGET_MEMBERS[action] === member);
  const names = takers.join(', ');
  return UuidListField({
    notEmpty: true,
    max: MAX_TARGETS,
    optional: true,
    nullable: true,
    requiredIf: (body) => takers.includes((body as BulkChangeBody).action),
    conflict: (body) => {
      const { action } = body as BulkChangeBody;
      return ACTIONS.includes(action) && !takers.includes(action)
        ? message('value.only-for', { actions: names })
        : null;
    },
    description: `For ${names}: ${what}`,
    example,
  });
}

export class BulkChangeBody {
  @EnumField(ACTIONS, { description: 'What to do with each of the documents', example: 'Tag' })
  action!: BulkAction;

  @UuidListField({ notEmpty: true, max: MAX_DOCUMENTS, description: 'The documents, none twice' })
  documentIds!: string[];

  @TargetsField('tagIds', 'the tags to put on the documents, or to take off them', [
    '0199f7a4-2a10-773a-96e6-7f0e5f09a595',
  ])
  tagIds?: string[] | null;

  @TargetsField('fileIds', 'the files to file the documents into, or to take them out of')
  fileIds?: string[] | null;
}

/** Links to tags and files that one request of the caller's rate limit pays for, and the most requests to pay. */
const LINKS_PER_REQUEST = 200;
const MAX_COST = 50;

/** What the request costs of the caller's rate limit: it writes a link, or changes a document, for each pair. */
export function bulkCost({
  documentIds,
  tagIds,
  fileIds,
}: Partial<Record<keyof BulkChangeBody, unknown>>): number {
  const targets = Math.max(1, lengthOf(tagIds), lengthOf(fileIds));
  return Math.min(MAX_COST, (lengthOf(documentIds) * targets) / LINKS_PER_REQUEST);
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

const OUTCOMES = ['Done', 'Unchanged', 'Refused'] as const;

@ApiSchema({ name: 'BulkProblem' })
class BulkProblemResponse {
  @ApiProperty({ example: '/problems/document.archived' })
  type!: string;

  @ApiProperty({ example: 'Document archived' })
  title!: string;

  @ApiProperty({ type: 'integer', format: 'int32', example: 409 })
  status!: number;

  @ApiProperty({ example: 'An archived document cannot be edited or tagged.' })
  detail!: string;
}

@ApiSchema({ name: 'BulkResult' })
class BulkResultResponse {
  @ApiProperty({ format: 'uuid' })
  documentId!: string;

  @ApiProperty({
    type: String,
    enum: OUTCOMES,
    description: '`Unchanged`: it was so already',
  })
  outcome!: (typeof OUTCOMES)[number];

  @ApiProperty({
    type: BulkProblemResponse,
    nullable: true,
    description: 'Why it was refused: what the operation on this document alone would have answered',
  })
  problem!: BulkProblemResponse | null;
}

@ApiSchema({ name: 'BulkChange' })
export class BulkChangeResponse {
  @ApiProperty({ type: [BulkResultResponse], description: 'One for each document, in the order asked' })
  results!: BulkResultResponse[];
}

/** @param language that the reader prefers, as for a problem that is the whole answer */
export function presentBulkResult(
  documentId: string,
  outcome: ChangeOutcome,
  language: Language,
): BulkResultResponse {
  if (!(outcome instanceof Problem)) return { documentId, outcome, problem: null };
  const { code, status } = outcome;
  const { title, detail } = outcome.wording(language);
  return { documentId, outcome: 'Refused', problem: { type: `/problems/${code}`, title, status, detail } };
}
