import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { DtoMember } from '../../platform/http/input/read-members.js';

/** Not validated: whatever is wrong with a slug is a conflict, not a bad request. */
export class ChangeTenantSlugBody {
  @ApiProperty({
    description:
      'Small letters, digits and hyphens, 3 to 63 of them, neither beginning nor ending with a hyphen; not shaped like a UUID, not reserved; taken as it is, not trimmed',
    example: 'acme',
  })
  @DtoMember()
  slug!: string;
}

@ApiSchema({ name: 'TenantSlug' })
export class TenantSlugResponse {
  @ApiProperty({ example: 'acme' })
  slug!: string;
}
