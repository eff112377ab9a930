import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { message } from '../../common/messages/message.js';
import { timestampFromPostgres } from '../../common/timestamps.js';
import { UuidQuery } from '../../platform/http/input/uuid-field.js';
import { MISSING_CONDITIONS, type MissingCondition } from './access-conditions.js';
import { type MemberAccessRow, type ReaderRow, type ReasonRow, MAX_REASONS } from './access.repository.js';

const REASON_KINDS = ['Role', 'GrantOnFile', 'GrantOnFileType', 'ConfidentialityList', 'Creator'] as const;

export class GetMemberAccessQuery {
  @UuidQuery({
    description: 'The file. Exactly one of `fileId` and `documentId` is required.',
    conflict: ({ documentId }: GetMemberAccessQuery) =>
      documentId === undefined ? null : message('value.not-with', { member: 'documentId' }),
  })
  fileId?: string;

  @UuidQuery({ description: 'The document' })
  documentId?: string;
}

@ApiSchema({ name: 'AccessReason' })
export class AccessReasonResponse {
  @ApiProperty({
    enum: REASON_KINDS,
    description:
      '`Role`: the role has `files.read`. `GrantOnFile`, `GrantOnFileType`: an access grant. `ConfidentialityList`: the document is confidential, and the member is on its access list. `Creator`: the member created the document.',
  })
  kind!: (typeof REASON_KINDS)[number];

  @ApiProperty({ format: 'uuid', required: false, description: 'The role with `files.read` or the grant' })
  roleId?: string;

  @ApiProperty({ format: 'uuid', required: false, description: 'Only for grants' })
  grantId?: string;

  @ApiProperty({
    type: String,
    format: 'uuid',
    required: false,
    nullable: true,
    description: 'Only for grants: the file, or a file with the document. Null if the caller cannot see it.',
  })
  fileId?: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    required: false,
    nullable: true,
    description: 'Only for grants: time when the grant expires; null: never',
  })
  expiresAt?: string | null;
}

/** Members of both answers. */
class AccessResponse {
  @ApiProperty({
    description:
      'Whether the member can read the file and has `files.update` for it, or the document and `documents.update`: by the role, or by a Write grant. The status of the file or document is not considered.',
  })
  canWrite!: boolean;

  @ApiProperty({
    type: [AccessReasonResponse],
    maxItems: MAX_REASONS,
    description: 'Why the member can read it; each reason suffices. Grants are last, oldest first.',
  })
  reasons!: AccessReasonResponse[];

  @ApiProperty({ description: 'Whether there are more reasons' })
  moreReasons!: boolean;
}

@ApiSchema({ name: 'Reader' })
export class ReaderResponse extends AccessResponse {
  @ApiProperty({ format: 'uuid' })
  userId!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null until the member calls this tenant for the first time',
    example: 'Alice Arnold',
  })
  displayName!: string | null;
}

@ApiSchema({ name: 'MemberAccess' })
export class MemberAccessResponse extends AccessResponse {
  @ApiProperty()
  canRead!: boolean;

  @ApiProperty({
    type: String,
    enum: MISSING_CONDITIONS,
    isArray: true,
    description:
      'Every condition that fails; empty if `canRead`. `NotPermitted`: the role lacks `documents.read`. `NoGrant`: neither `files.read` nor a grant covers it, and the member did not create it. `NotOnConfidentialityList`: the document is confidential. `InBin`: the document is in the bin, and the role has neither `documents.delete` nor `documents.restore`.',
  })
  missing!: MissingCondition[];
}

export function presentReader(row: ReaderRow): ReaderResponse {
  const { userId, displayName, canWrite, reasons } = row;
  return { userId, displayName, canWrite, ...presentReasons(reasons) };
}

export function presentMemberAccess(row: MemberAccessRow): MemberAccessResponse {
  const { canRead, canWrite, reasons, missing } = row;
  return { canRead, canWrite, ...presentReasons(canRead ? reasons : []), missing: [...missing] };
}

function presentReasons(rows: readonly ReasonRow[]): Pick<AccessResponse, 'reasons' | 'moreReasons'> {
  return { reasons: rows.slice(0, MAX_REASONS).map(presentReason), moreReasons: rows.length > MAX_REASONS };
}

function presentReason(row: ReasonRow): AccessReasonResponse {
  if (!('grantId' in row)) return row;
  const { kind, roleId, grantId, fileId, expiresAt } = row;
  return {
    kind,
    ...(roleId !== null && { roleId }),
    grantId,
    fileId,
    expiresAt: expiresAt === null ? null : timestampFromPostgres(expiresAt),
  };
}
