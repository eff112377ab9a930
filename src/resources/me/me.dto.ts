import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ALL_PERMISSIONS, type Permission } from '../../common/vocabulary/permissions.js';

class MeUserResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ type: String, nullable: true, example: 'alice@example.com' })
  email!: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Alice Arnold' })
  displayName!: string | null;
}

class MeTenantResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({
    description: 'Current slug of the tenant, even if the request used a former one',
    example: 'acme',
  })
  slug!: string;

  @ApiProperty({ example: 'Acme AG' })
  name!: string;
}

export class MeRoleResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Identifier of a built-in role; null for other roles',
    example: 'editor',
  })
  key!: string | null;

  @ApiProperty({ example: 'Editor' })
  name!: string;
}

@ApiSchema({ name: 'TenantMe' })
export class TenantMeResponse {
  @ApiProperty({ type: MeUserResponse })
  user!: MeUserResponse;

  @ApiProperty({ type: MeTenantResponse })
  tenant!: MeTenantResponse;

  @ApiProperty({ type: MeRoleResponse })
  role!: MeRoleResponse;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: ALL_PERMISSIONS },
    description: 'Permissions of the role. Later versions can have more values.',
    example: ['files.read', 'tags.read'],
  })
  permissions!: Permission[];
}
