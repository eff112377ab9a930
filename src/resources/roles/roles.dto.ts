import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type Message, message } from '../../common/messages/message.js';
import {
  ALL_PERMISSIONS,
  type Permission,
  isPermission,
  permissionsInOrder,
} from '../../common/vocabulary/permissions.js';
import { type FieldOptions } from '../../platform/http/input/field.js';
import { ListField } from '../../platform/http/input/list-field.js';
import { NameField } from '../../platform/http/input/text-field.js';
import { type RoleEntity } from '../../platform/tenancy/access/role.entity.js';

/** A list of permissions without duplicates, in any order. */
function PermissionsField(options: FieldOptions = {}): PropertyDecorator {
  return ListField({ type: 'string', enum: ALL_PERMISSIONS }, permissionError, {
    example: ['files.read', 'documents.read'],
    ...options,
    // A longer list has unknown or repeated items; one error is enough.
    max: ALL_PERMISSIONS.length,
  });
}

function permissionError(value: unknown): Message | null {
  if (typeof value !== 'string') return message('value.string');
  return isPermission(value) ? null : message('reference.permission');
}

export class CreateRoleBody {
  @NameField({ description: 'Unique in the tenant, ignoring case', example: 'Registry clerk' })
  name!: string;

  @PermissionsField({ description: 'Permissions of the role; see ListPermissions. May be empty.' })
  permissions!: Permission[];
}

export class UpdateRoleBody {
  @NameField({ description: 'Unique in the tenant, ignoring case', example: 'Front desk' })
  name!: string;

  @PermissionsField({
    nullable: true,
    description:
      'New permissions of the role. Null or absent: the permissions stay unchanged. Empty: removes all.',
  })
  permissions?: Permission[] | null;
}

@ApiSchema({ name: 'Role' })
export class RoleResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Identifier of a built-in role; null for other roles',
    example: null,
  })
  key!: string | null;

  @ApiProperty({ example: 'Registry clerk' })
  name!: string;

  @ApiProperty({
    description: 'Whether the role is built in; built-in roles cannot be changed or deleted',
    example: false,
  })
  isBuiltIn!: boolean;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: ALL_PERMISSIONS },
    description: 'Permissions of the role. Later versions can have more values.',
    example: ['files.read', 'documents.read'],
  })
  permissions!: Permission[];
}

@ApiSchema({ name: 'Permission' })
export class PermissionResponse {
  @ApiProperty({ example: 'files.read' })
  key!: string;

  @ApiProperty({ example: 'See all files' })
  description!: string;
}

export function presentRole({ id, key, name, permissions }: RoleEntity): RoleResponse {
  return { id, key, name, isBuiltIn: key !== null, permissions: permissionsInOrder(permissions) };
}
