import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { parseEmailAddress } from '../../common/email-address.js';
import { message } from '../../common/messages/message.js';
import { BooleanField } from '../../platform/http/input/boolean-field.js';
import { DateTimeField } from '../../platform/http/input/date-time-field.js';
import { Field } from '../../platform/http/input/field.js';
import { ReadWith } from '../../platform/http/input/read-with.js';
import { Rule } from '../../platform/http/input/rule.js';
import { TextField } from '../../platform/http/input/text-field.js';
import { UuidField } from '../../platform/http/input/uuid-field.js';
import { INVITATION_STATUSES, type InvitationStatus } from './invitation.entity.js';

/** Default validity of an invitation in days. */
export const DEFAULT_DAYS = 14;

export class CreateInvitationBody {
  /** In NFC and trimmed. Without the JSON Schema format `email`, which only allows ASCII. */
  @Field(
    { type: String, minLength: 1, maxLength: 254 },
    { description: 'E-mail address of the invited person', example: 'bob@example.com' },
    ReadWith((value) => parseEmailAddress(value) ?? value),
    Rule('emailAddress', (value) => (parseEmailAddress(value) ? null : message('value.email-address'))),
  )
  email!: string;

  @UuidField({ description: 'Role that the invited person gets' })
  roleId!: string;

  @TextField({
    nullable: true,
    min: 0,
    max: 2000,
    lines: true,
    description: 'Personal message in the mail',
    example: 'Welcome to the team!',
  })
  message?: string | null;

  @DateTimeField({
    nullable: true,
    description: `Time when the invitation expires; null or absent: after ${DEFAULT_DAYS} days`,
  })
  expiresAt?: string | null;

  @BooleanField({
    optional: true,
    description:
      'Whether the invitation is mailed, if the service has a mail server. With `false`, pass on the link in the response.',
    example: true,
  })
  sendMail?: boolean;
}

export class InvitationSecretBody {
  @TextField({
    max: 200,
    description: 'The secret in the invitation link',
    example: 'pJx3lC4nVfXbqhYd0T1mW8sZkR7uE2aGoI5yN6vQw9M',
  })
  secret!: string;
}

@ApiSchema({ name: 'Invitation' })
export class InvitationResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'bob@example.com' })
  email!: string;

  @ApiProperty({ format: 'uuid' })
  roleId!: string;

  @ApiProperty({ enum: INVITATION_STATUSES })
  status!: InvitationStatus;

  @ApiProperty({ type: String, nullable: true, example: 'Welcome to the team!' })
  message!: string | null;

  @ApiProperty({ format: 'uuid' })
  invitedById!: string;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time' })
  expiresAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  acceptedAt!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  revokedAt!: string | null;
}

/** `secret` and `acceptUrl` are not stored, so the response to a repeated request does not contain them. */
@ApiSchema({ name: 'CreatedInvitation' })
export class CreatedInvitationResponse extends InvitationResponse {
  @ApiProperty({
    required: false,
    description:
      'Returned only once. Needed to accept the invitation, together with an access token for the invited address.',
    example: 'pJx3lC4nVfXbqhYd0T1mW8sZkR7uE2aGoI5yN6vQw9M',
  })
  secret?: string;

  @ApiProperty({
    required: false,
    format: 'uri',
    description: 'Returned only once. The link for the invited person; it contains the secret.',
    example:
      'https://filing.example/invitation#tenant=demo&secret=pJx3lC4nVfXbqhYd0T1mW8sZkR7uE2aGoI5yN6vQw9M',
  })
  acceptUrl?: string;
}
