import { ApiProperty } from '@nestjs/swagger';
import { MESSAGES } from '../../../common/messages/message.js';

const TEXT = { type: String, nullable: true, required: false };

/** Problem document of RFC 9457, with the members of the specification. */
export class ProblemDetails {
  @ApiProperty({ ...TEXT, example: '/problems/file.number-taken' })
  type!: string | null;

  @ApiProperty({ ...TEXT, example: 'File number taken' })
  title!: string | null;

  @ApiProperty({ type: 'integer', format: 'int32', nullable: true, required: false, example: 409 })
  status!: number | null;

  @ApiProperty({ ...TEXT, example: 'Another file of the tenant has this number.' })
  detail!: string | null;

  @ApiProperty({ ...TEXT, example: 'urn:uuid:0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3d' })
  instance!: string | null;
}

export class ValidationProblemDetails extends ProblemDetails {
  @ApiProperty({
    selfRequired: false,
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' } },
    example: { name: [MESSAGES['value.empty'].en] },
  })
  errors?: Record<string, string[]>;
}
