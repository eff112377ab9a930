import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type Language } from '../../../common/messages/languages.js';
import { type Message, message } from '../../../common/messages/message.js';
import { Problem } from '../../../common/problem.js';
import { EnumField } from '../../../platform/http/input/enum-field.js';
import { UuidField, UuidListField } from '../../../platform/http/input/uuid-field.js';
import { type ChangeOutcome } from '../changes/document-changes.js';
import { sameFile } from '../changes/document-links.repository.js';

/**
 * The actions: the member of the body with the tags or files that they need, and the permission, which is that of the
 * operation on one document.
 */
export const BULK_ACTIONS = {
  Tag: { targets: 'tagIds', permission: 'documents.update' },
  Untag: { targets: 'tagIds', permission: 'documents.update' },
  File: { targets: 'fileIds', permission: 'documents.file' },
  Unfile: { targets: 'fileIds', permission: 'documents.file' },
  Move: { targets: 'fromFileId', permission: 'documents.file' },
  Archive: { targets: null, permission: 'documents.archive' },
  Unarchive: { targets: null, permission: 'documents.archive' },
  Delete: { targets: null, permission: 'documents.delete' },
  Restore: { targets: null, permission: 'documents.restore' },
} as const;

export type BulkAction = keyof typeof BULK_ACTIONS;

const ACTIONS = Object.keys(BULK_ACTIONS) as BulkAction[];

const MAX_DOCUMENTS = 500;
const MAX_TARGETS = 20;

/** The rules of members that some actions require and the others refuse. */
function onlyFor(member: 'tagIds' | 'fileIds' | 'fromFileId') {
  const actions = ACTIONS.filter((action) => BULK_ACTIONS[action].targets === member);
  return {
    actions: actions.join(', '),
    requiredIf: (body: object) => actions.includes((body as BulkChangeBody).action),
    conflict: (body: object) => {
      const { action } = body as BulkChangeBody;
      return ACTIONS.includes(action) && !actions.includes(action)
        ? message('value.only-for', { actions: actions.join(', ') })
        : null;
    },
  };
}

function TargetsField(member: 'tagIds' | 'fileIds', what: string, example?: string[]): PropertyDecorator {
  const { actions, requiredIf, conflict } = onlyFor(member);
  return UuidListField({
    notEmpty: true,
    max: MAX_TARGETS,
    nullable: true,
    requiredIf,
    conflict,
    description: `For ${actions}: ${what}`,
    example,
  });
}

/** A file that Move requires and the other actions refuse. */
function MoveField(description: string, check?: (body: object) => Message | null): PropertyDecorator {
  const { requiredIf, conflict } = onlyFor('fromFileId');
  return UuidField({
    nullable: true,
    requiredIf,
    conflict: (body) => conflict(body) ?? check?.(body) ?? null,
    description,
  });
}

export class BulkChangeBody {
  @EnumField(ACTIONS, { description: 'The change to make to each document', example: 'Tag' })
  action!: BulkAction;

  @UuidListField({
    notEmpty: true,
    max: MAX_DOCUMENTS,
    description: 'Ids of the documents, without duplicates',
  })
  documentIds!: string[];

  @TargetsField('tagIds', 'the tags to add to the documents, or to remove', [
    '0199f7a4-2a10-773a-96e6-7f0e5f09a595',
  ])
  tagIds?: string[] | null;

  @TargetsField('fileIds', 'the files to file the documents into, or to remove them from')
  fileIds?: string[] | null;

  @MoveField('For Move: the file to move the documents from')
  fromFileId?: string | null;

  @MoveField('For Move: the file to move them to', sameFile)
  toFileId?: string | null;
}

/** Cost in the caller’s rate limit: one request per 200 links, at most 50 requests. */
const LINKS_PER_REQUEST = 200;
const MAX_COST = 50;

/** Each document is changed once per tag or file, and twice by a move. */
export function bulkCost({
  action,
  documentIds,
  tagIds,
  fileIds,
}: Partial<Record<keyof BulkChangeBody, unknown>>): number {
  const targets = Math.max(action === 'Move' ? 2 : 1, lengthOf(tagIds), lengthOf(fileIds));
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
    enum: OUTCOMES,
    description: '`Unchanged`: the document already was in the requested state',
  })
  outcome!: (typeof OUTCOMES)[number];

  @ApiProperty({
    type: BulkProblemResponse,
    nullable: true,
    description:
      'Why the change was refused: the problem that the operation for a single document would return',
  })
  problem!: BulkProblemResponse | null;
}

@ApiSchema({ name: 'BulkChange' })
export class BulkChangeResponse {
  @ApiProperty({
    type: [BulkResultResponse],
    description: 'One result for each document, in the order of the request',
  })
  results!: BulkResultResponse[];
}

/** @param language language of the reader, as for a problem that is the whole response */
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
