import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { message } from '../../common/messages/message.js';
import { EnumField } from '../../platform/http/input/enum-field.js';
import { PatternField } from '../../platform/http/input/text-field.js';
import {
  DISPOSITIONS,
  RETENTION_STARTS,
  type Disposition,
  type RetentionStart,
} from './file-type-retention.entity.js';

/** A duration of ISO 8601 with whole years or whole months only, of 1 month to 100 years. */
const PERIOD = /^P(?:(?:[1-9]\d{0,2}|1[01]\d\d|1200)M|(?:[1-9]\d?|100)Y)$/;
const PERIOD_DESCRIPTION =
  'How long files are kept after their closing: an ISO 8601 duration of whole years or months, 1 month to 100 years. Null: for ever';
const STARTS_DESCRIPTION =
  'When the period starts: on the day of closing, or on 31 December of its year, in the time zone of the service';
const DISPOSITION_DESCRIPTION =
  'What is to be done with a file that is due: destroy it, transfer it to an archive, or review it';

export class UpdateRetentionBody {
  @PatternField(PERIOD, message('retention.period'), {
    nullable: true,
    description: `${PERIOD_DESCRIPTION}. Absent: null`,
    example: 'P10Y',
  })
  period?: string | null;

  @EnumField(RETENTION_STARTS, { description: STARTS_DESCRIPTION, example: 'EndOfYearOfClosing' })
  startsAt!: RetentionStart;

  @EnumField(DISPOSITIONS, { description: DISPOSITION_DESCRIPTION })
  disposition!: Disposition;
}

@ApiSchema({ name: 'Retention' })
export class RetentionResponse {
  @ApiProperty({ type: String, nullable: true, description: PERIOD_DESCRIPTION, example: 'P10Y' })
  period!: string | null;

  @ApiProperty({ enum: RETENTION_STARTS, description: STARTS_DESCRIPTION })
  startsAt!: RetentionStart;

  @ApiProperty({ enum: DISPOSITIONS, description: DISPOSITION_DESCRIPTION })
  disposition!: Disposition;
}

/** Without further members of the row. */
export function presentRetention({ period, startsAt, disposition }: RetentionResponse): RetentionResponse {
  return { period, startsAt, disposition };
}

export const RETENTION_STATES = ['None', 'Open', 'Running', 'Due', 'InDisposal'] as const;
export type RetentionState = (typeof RETENTION_STATES)[number];

@ApiSchema({ name: 'FileRetention' })
export class FileRetentionResponse {
  @ApiProperty({
    enum: RETENTION_STATES,
    description:
      '`None`: the type has no period. `Open`: the file is not closed. `Running`: it must be kept. `Due`: the period has ended. `InDisposal`: the file is in a disposal that is not completed.',
  })
  state!: RetentionState;

  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'Last day on which the file must be kept; null while the state is `None` or `Open`',
  })
  dueOn!: string | null;

  @ApiProperty({
    enum: DISPOSITIONS,
    nullable: true,
    description: 'From the rule of the file type; null if it has no period',
  })
  disposition!: Disposition | null;

  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'The file is kept at least until this day, whatever the rule of its type',
  })
  keepUntil!: string | null;

  @ApiProperty({ description: 'Whether an active hold contains the file' })
  isHeld!: boolean;
}

export interface FileRetentionRow extends Omit<FileRetentionResponse, 'state'> {
  readonly period: string | null;
  readonly isClosed: boolean;
  readonly isDue: boolean | null;
  readonly isInDisposal: boolean;
}

export function presentFileRetention({
  isClosed,
  dueOn,
  isDue,
  period,
  disposition,
  keepUntil,
  isHeld,
  isInDisposal,
}: FileRetentionRow): FileRetentionResponse {
  const rule = { disposition: period === null ? null : disposition, keepUntil, isHeld };
  if (isInDisposal) return { state: 'InDisposal', dueOn, ...rule };
  if (period === null) return { state: 'None', dueOn: null, ...rule };
  if (!isClosed) return { state: 'Open', dueOn: null, ...rule };
  return { state: isDue ? 'Due' : 'Running', dueOn, ...rule };
}

@ApiSchema({ name: 'DocumentRetention' })
export class DocumentRetentionResponse {
  @ApiProperty({ description: 'Whether an active hold contains the document or one of its files' })
  isHeld!: boolean;
}
