import { isUuid } from '../../../common/text.js';

const PATTERN = /^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/;

/** Words that may be needed as a path or subdomain in the future. */
const RESERVED = new Set(
  `about abuse account accounts acme-challenge admin administrator api app apps assets auth billing blog cdn config
   console contact dashboard dev docs download downloads email files graphql health healthz help home host hostmaster
   id imprint info internal jobs legal livez localhost login logout mail media me metrics mobile monitoring new news
   oauth oauth2 oidc openapi ops postmaster privacy problems public readyz root security server service services
   settings setup signin signout signup smtp sso static status support swagger system t team tenant tenants terms test
   user users webhook webhooks webmaster well-known ws www`.split(/\s+/),
);

export function isSlug(text: string): boolean {
  return PATTERN.test(text);
}

/**
 * Whether the text is allowed as the slug of a tenant: valid format, not a UUID, not reserved. It may still be taken.
 */
export function isAllowedSlug(text: unknown): text is string {
  return typeof text === 'string' && isSlug(text) && !isUuid(text) && !RESERVED.has(text);
}
