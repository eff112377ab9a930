import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type RelatedIds } from '../../../common/vocabulary/audit.js';
import { IntegerQuery } from '../../../platform/http/input/integer-field.js';

const SIZE = { type: 'integer', format: 'int64', minimum: 0 } as const;
const HASHES = 'SHA-256 hashes in Base64';

export class AuditProofQuery {
  @IntegerQuery({
    minimum: 1,
    description: 'Size of the tree that the proof is for. Default: the current size',
  })
  size?: number;
}

export class AuditConsistencyQuery {
  @IntegerQuery({ description: 'Size of the earlier tree. Default: 0, the empty tree' })
  from?: number;

  @IntegerQuery({ description: 'Size of the later tree. Default: the current size' })
  to?: number;
}

export class AuditExportQuery {
  @IntegerQuery({
    description: 'Number of entries that the export leaves out, from the beginning. Default: 0',
  })
  fromSize?: number;
}

/** What the hash `text` of a leaf stands for. */
@ApiSchema({ name: 'AuditOpening' })
export class AuditOpeningResponse {
  @ApiProperty({ description: '16 random bytes in Base64', example: 'q83vEjRWeJCrze8SNFZ4kA==' })
  salt!: string;

  @ApiProperty({ type: String, nullable: true })
  actorName!: string | null;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    nullable: true,
    description: 'Version of a downloaded content',
  })
  contentVersion!: number | null;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', format: 'uuid' } })
  related!: RelatedIds;

  @ApiProperty({ type: String, nullable: true })
  summary!: string | null;
}

@ApiSchema({ name: 'AuditProof' })
export class AuditProofResponse {
  @ApiProperty({ ...SIZE, description: 'Place of the entry in the event log, and of its leaf in the tree' })
  sequence!: number;

  @ApiProperty({ ...SIZE, minimum: 1 })
  treeSize!: number;

  @ApiProperty({
    description:
      'Canonical JSON (RFC 8785) with the members v, id, occurredAt, actorId, action, subjectType, subjectId and text. The hash of the leaf is SHA-256 over a zero byte and this string.',
  })
  leaf!: string;

  @ApiProperty({
    type: AuditOpeningResponse,
    nullable: true,
    description:
      'What `text` of the leaf is the hash of: base64url(SHA-256(salt ‖ canonical JSON of the other members)). Null if the caller may not read all of the entry.',
  })
  opening!: AuditOpeningResponse | null;

  @ApiProperty({ type: [String], description: `Inclusion proof of RFC 9162, 2.1.3: ${HASHES}` })
  hashes!: string[];

  @ApiProperty({ description: 'Signed checkpoint of the tree of this size' })
  checkpoint!: string;
}

@ApiSchema({ name: 'AuditConsistency' })
export class AuditConsistencyResponse {
  @ApiProperty({ type: [String], description: `Consistency proof of RFC 9162, 2.1.4: ${HASHES}` })
  hashes!: string[];
}

@ApiSchema({ name: 'AuditCheckpoint' })
export class AuditCheckpointResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ ...SIZE, description: 'Number of entries that it states' })
  size!: number;

  @ApiProperty({ description: 'Signed note, C2SP tlog-checkpoint' })
  checkpoint!: string;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
}
