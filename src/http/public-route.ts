import { SetMetadata } from '@nestjs/common';

export const PUBLIC_ROUTE = 'filing:public-route';

/** Marks what lies outside tenants and needs no token: health, documentation, the catalogue of problems. */
export function PublicRoute(): MethodDecorator {
  return SetMetadata(PUBLIC_ROUTE, true);
}
