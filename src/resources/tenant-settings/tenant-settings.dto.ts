import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { AsSent } from '../../platform/http/input/read-with.js';

/** Not validated: every invalid slug is a conflict (409), not a bad request. */
export class ChangeTenantSlugBody {
  @ApiProperty({
    description:
      '3 to 63 lower-case letters, digits and hyphens, without a hyphen at the start or end. Must not be a UUID or a reserved word. Not trimmed',
    example: 'acme',
  })
  @AsSent()
  slug!: string;
}

@ApiSchema({ name: 'TenantSlug' })
export class TenantSlugResponse {
  @ApiProperty({ example: 'acme' })
  slug!: string;
}
