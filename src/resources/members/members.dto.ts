import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type Message, message } from '../../common/messages/message.js';
import { readUrl } from '../../common/url.js';
import { Field } from '../../platform/http/input/field.js';
import { Rule } from '../../platform/http/input/rule.js';
import { TextField } from '../../platform/http/input/text-field.js';
import { UuidField, UuidListQuery } from '../../platform/http/input/uuid-field.js';
import { EMBEDDED_ISSUER } from '../../platform/identity/issuer-url.js';
import { MeRoleResponse } from '../me/me.reader.js';
import { type MemberRow } from './members.repository.js';

/** Issuer and subject together must fit into an index entry. */
const MAX_ISSUER_LENGTH = 1000;

function issuerError(value: unknown): Message | null {
  if (typeof value !== 'string') return message('value.string');
  if (value.length > MAX_ISSUER_LENGTH) return message('value.max-length', { max: MAX_ISSUER_LENGTH });
  if (value === EMBEDDED_ISSUER) return null;
  return /^https?:\/\/[\x21-\x7e]+$/.test(value) && readUrl(value) !== null
    ? null
    : message('value.issuer-url');
}

export class AddMemberBody {
  /** An issuer identifier (OpenID Connect Discovery 1.0, 2): a URL that is compared exactly, so it is not normalized. */
  @Field(
    { type: String, minLength: 1, maxLength: MAX_ISSUER_LENGTH },
    {
      description: `Issuer of the user’s access tokens: exactly their claim \`iss\`. \`${EMBEDDED_ISSUER}\` means the embedded issuer`,
      example: 'https://login.example.com',
    },
    Rule('issuer', issuerError),
  )
  issuer!: string;

  @TextField({
    max: 255,
    description: 'Subject of the user’s access tokens: exactly their claim `sub`',
    example: 'archive-scanner',
  })
  subject!: string;

  @UuidField({ description: 'Id of the role for the new member' })
  roleId!: string;
}

export class ChangeMemberRoleBody {
  @UuidField({ description: 'Id of the new role' })
  roleId!: string;
}

const MAX_NAMES = 100;

export class ListUserNamesQuery {
  @UuidListQuery({ max: MAX_NAMES, description: 'Ids of users. Default: none' })
  ids?: readonly string[];
}

@ApiSchema({ name: 'UserName' })
export class UserNameResponse {
  @ApiProperty({ format: 'uuid' })
  userId!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null if the user has none, or until the member calls this tenant for the first time',
    example: 'Alice Arnold',
  })
  displayName!: string | null;
}

@ApiSchema({ name: 'MemberRole' })
class MemberRoleResponse extends MeRoleResponse {}

@ApiSchema({ name: 'Member' })
export class MemberResponse {
  @ApiProperty({ format: 'uuid' })
  userId!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null until the member calls this tenant for the first time',
    example: 'alice@example.com',
  })
  email!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null until the member calls this tenant for the first time',
    example: 'Alice Arnold',
  })
  displayName!: string | null;

  @ApiProperty({
    description: 'Claim `iss` of the member’s access tokens',
    example: 'https://login.example.com',
  })
  issuer!: string;

  @ApiProperty({ example: 'alice' })
  subject!: string;

  @ApiProperty({ type: MemberRoleResponse })
  role!: MemberRoleResponse;

  @ApiProperty({ format: 'date-time', description: 'Time when the user became a member' })
  createdAt!: string;
}

/** @param issuer claim `iss` of the member's access tokens */
export function presentMember(row: MemberRow, issuer: string): MemberResponse {
  const { userId, email, displayName, subject, createdAt } = row;
  const role = { id: row.roleId, key: row.roleKey, name: row.roleName };
  return { userId, email, displayName, issuer, subject, role, createdAt };
}
