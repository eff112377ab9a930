import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { MeRoleResponse } from '../me/me.reader.js';

@ApiSchema({ name: 'OwnTenant' })
export class OwnTenantResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ description: 'Current slug of the tenant', example: 'acme' })
  slug!: string;

  @ApiProperty({ example: 'Acme AG' })
  name!: string;

  @ApiProperty({ type: MeRoleResponse, description: 'The role of the caller in the tenant' })
  role!: MeRoleResponse;
}
