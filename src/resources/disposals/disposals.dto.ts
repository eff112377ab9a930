import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { message } from '../../common/messages/message.js';
import { DateField } from '../../platform/http/input/date-time-field.js';
import { EnumField } from '../../platform/http/input/enum-field.js';
import { NameField, TextField } from '../../platform/http/input/text-field.js';
import { UuidField } from '../../platform/http/input/uuid-field.js';
import {
  DECISIONS,
  OUTCOMES,
  SKIP_REASONS,
  type Decision,
  type DisposalFileEntity,
  type Outcome,
  type SkipReason,
} from './disposal-file.entity.js';
import { DISPOSAL_STATUSES, type DisposalEntity, type DisposalStatus } from './disposal.entity.js';

/** Maximum of `documentCount` of a file that exists. */
export const COUNTED = 1000;

const DECISION = {
  description:
    '`Destroy`; `Transferred`, with the receipt of the archive in `reference`; or `Keep`, at least until `keepUntil`',
};

export class CreateDisposalBody {
  @NameField({ example: 'Aussonderung 2026' })
  name!: string;

  @UuidField({ description: 'Type of the files' })
  fileTypeId!: string;

  @DateField({ description: 'Only files with an earlier `dueOn`; not after today', example: '2026-01-01' })
  dueBefore!: string;
}

class DecisionMembers {
  @TextField({
    nullable: true,
    max: 200,
    requiredIf: (body) => (body as DecisionMembers & { decision?: Decision }).decision === 'Transferred',
    conflict: (body) => onlyFor(body, 'Transferred'),
    description: 'Receipt of the archive',
  })
  reference?: string | null;

  @DateField({
    nullable: true,
    requiredIf: (body) => (body as DecisionMembers & { decision?: Decision }).decision === 'Keep',
    conflict: (body) => onlyFor(body, 'Keep'),
  })
  keepUntil?: string | null;
}

/** Nothing if the decision itself is absent or invalid. */
function onlyFor(body: object, decision: Decision) {
  const { decision: given } = body as { decision?: unknown };
  const isOther = given !== decision && DECISIONS.some((known) => known === given);
  return isOther ? message('disposal.only-for', { decision }) : null;
}

export class UpdateDisposalBody extends DecisionMembers {
  @NameField({ example: 'Aussonderung 2026' })
  name!: string;

  @EnumField(DECISIONS, {
    ...DECISION,
    nullable: true,
    description: `For all files without a decision: ${DECISION.description}`,
  })
  decision?: Decision | null;
}

export class DecideBody extends DecisionMembers {
  @EnumField(DECISIONS, DECISION)
  decision!: Decision;
}

export class RejectDisposalBody {
  @TextField({ max: 2000, example: 'Die Akten des Jahres 2015 werden noch gebraucht' })
  reason!: string;
}

export type DecisionOnFile = Pick<DisposalFileEntity, 'decision' | 'reference' | 'keepUntil'>;

export function decisionOf({
  decision = null,
  reference = null,
  keepUntil = null,
}: UpdateDisposalBody | DecideBody): DecisionOnFile {
  return { decision, reference, keepUntil };
}

@ApiSchema({ name: 'Disposal' })
export class DisposalResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'Aussonderung 2026' })
  name!: string;

  @ApiProperty({ format: 'uuid' })
  fileTypeId!: string;

  @ApiProperty({ format: 'date' })
  dueBefore!: string;

  @ApiProperty({ enum: DISPOSAL_STATUSES })
  status!: DisposalStatus;

  @ApiProperty({ description: 'Period of the rule of the file type', example: 'P10Y' })
  period!: string;

  @ApiProperty({ description: 'Start of the period' })
  startsAt!: string;

  @ApiProperty({ description: 'Disposition of the rule' })
  disposition!: string;

  @ApiProperty({ format: 'date-time', description: 'Since when the rule is as it is' })
  ruleChangedAt!: string;

  @ApiProperty({ format: 'uuid' })
  createdById!: string;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  submittedById!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  submittedAt!: string | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  approvedById!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  approvedAt!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Reason of the last rejection' })
  rejection!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  completedAt!: string | null;
}

/** A disposal, and who has changed it. */
export type DisposalRow = DisposalResponse & Pick<DisposalEntity, 'editors'>;

export function presentDisposal({ editors: _editors, ...disposal }: DisposalRow): DisposalResponse {
  return disposal;
}

/** What is decided on a file of a disposal, and what became of it. */
export class DecidedFileResponse {
  @ApiProperty({ example: 'BAU-2015-0001' })
  number!: string;

  @ApiProperty({ enum: DECISIONS, nullable: true, ...DECISION })
  decision!: Decision | null;

  @ApiProperty({ type: String, nullable: true, description: 'Receipt of the archive' })
  reference!: string | null;

  @ApiProperty({ type: String, format: 'date', nullable: true })
  keepUntil!: string | null;

  @ApiProperty({ enum: OUTCOMES, nullable: true })
  outcome!: Outcome | null;

  @ApiProperty({ enum: SKIP_REASONS, nullable: true })
  skippedBecause!: SkipReason | null;
}

@ApiSchema({ name: 'DisposalFile' })
export class DisposalFileResponse extends DecidedFileResponse {
  @ApiProperty({ format: 'uuid' })
  fileId!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null once the file is destroyed, or if it is not visible to the caller',
  })
  name!: string | null;

  @ApiProperty({ format: 'date-time' })
  closedAt!: string;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    description: `Documents that are visible to the caller, without the bin, at most ${COUNTED}; after the destruction, all documents`,
  })
  documentCount!: number;
}
