import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { BooleanField } from '../../../platform/http/input/boolean-field.js';

export class ChangeConfidentialityBody {
  @BooleanField({ description: 'Whether only the users on the access list can see the document' })
  isConfidential!: boolean;
}

@ApiSchema({ name: 'ConfidentialUser' })
export class ConfidentialUserResponse {
  @ApiProperty({ format: 'uuid' })
  userId!: string;

  @ApiProperty({ type: String, nullable: true, example: 'Alice Arnold' })
  displayName!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Null unless it is the caller’s own address, or the caller has `members.read` or `documents.confidential.manage`',
    example: 'alice@example.com',
  })
  email!: string | null;

  @ApiProperty({ format: 'date-time' })
  addedAt!: string;
}

@ApiSchema({ name: 'ConfidentialDocument' })
export class ConfidentialDocumentResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 0,
    description: 'Number of users on the access list; 0 if the last of them has left the tenant',
  })
  userCount!: number;
}
