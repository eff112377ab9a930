import { maxHeaderSize } from 'node:http';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../common/page.js';
import { type Configuration } from '../config/configuration.js';
import {
  BODY_LIMITS,
  type BodyLimit,
  type EndpointOptions,
  MAX_JSON_DEPTH,
} from '../http/endpoint/endpoint.js';

/** What somebody new has to know before the first request; the text above the operations (CommonMark). */
export function introduction(configuration: Configuration, endpoints: Iterable<EndpointOptions>): string {
  const login = configuration.embeddedIssuer
    ? '*Authorize* leads to the demonstration issuer, where you choose who to be; as the administrator all examples work.'
    : '*Authorize* leads to the issuer of your accounts.';
  return `
Numbered files, typed documents filed into them, and who may see and do what. Everything lies under a tenant, which the
path names by its slug.

**The first three requests.** ${login} Then:

1. \`GET /api/v1/t/{tenant}/me\`: who you are in the tenant, and what you may do there.
   \`GET /api/v1/tenants\` lists your tenants.
2. \`GET /api/v1/t/{tenant}/files\`: its files, newest first; \`q\` finds them by a part of number or name.
3. \`POST /api/v1/t/{tenant}/files\`: a new one. The same number again is a problem, and says so.

**Problems** are \`application/problem+json\` (RFC 9457), always, in English or German (\`Accept-Language\`). Their
\`type\` leads to an explanation under [/problems](problems), \`instance\` carries the id of the request, and on a 400
\`errors\` names the values at fault by their path in the request.

**Lists** are paged by cursor: ask again with the \`nextCursor\` of the page as \`cursor\`, and the same filters, until
it is null; or follow \`Link: <…>; rel="next"\`. A page of large items has fewer of them than its \`limit\`.

**Changes** that others make in between are noticed with \`ETag\` and \`If-Match\`. A request that may have arrived is
repeated safely with an \`Idempotency-Key\`. A 201 says in \`Location\` where to read what was created.
How many requests are left is told by \`RateLimit\` on every answer.

**Unknown members** of a body, unknown parameters and parts of a form are ignored. With the header field
\`Prefer: handling=strict\` (RFC 7240) any operation that takes a token answers 400 instead, and \`errors\` names each of
them; \`Preference-Applied: handling=strict\` in the answer confirms it. Other preferences are ignored.

**Values and conditions.** CreateDocument lists how the values of each field type are sent, SearchDocuments which
operators each field type has.

${limits(configuration, [...endpoints])}

A path that is not there is answered 404, a method that a path does not take 405 with \`Allow\`. The extension
\`x-addition\` marks operations beyond the specified ones, \`x-problems\` lists the problems of a response. The same
document: [openapi.json](openapi.json) (OpenAPI 3.1).
`.trim();
}

/** From the constants and the configuration that the service applies. */
function limits(configuration: Configuration, endpoints: readonly EndpointOptions[]): string {
  const { uploadLimit, tenantStorageLimit, rateLimitPerMinute, rateLimitBurst } = configuration;
  const { binRetentionDays, notificationRetentionDays } = configuration;
  const others = (Object.keys(BODY_LIMITS) as BodyLimit[])
    .filter((limit) => limit !== 'normal')
    .flatMap((limit) => {
      const names = endpoints
        .filter(({ bodyLimit }) => bodyLimit === limit)
        .map(({ operation }) => operation);
      return names.length > 0 ? [`${size(BODY_LIMITS[limit].bytes)} for ${names.join(', ')}`] : [];
    });
  return `
**Limits.** A JSON body has at most ${size(BODY_LIMITS.normal.bytes)} (${others.join('; ')}) and ${MAX_JSON_DEPTH}
nested levels, the header fields of a request ${size(maxHeaderSize)}. The content of a document has at most
${size(uploadLimit)}, the contents of a tenant ${size(tenantStorageLimit)} together. A caller has ${rateLimitPerMinute}
requests a minute in each tenant, ${rateLimitBurst} of them at once. The limits of storage and requests are those of
tenants that have none of their own. A page has at most ${MAX_LIMIT} items, ${DEFAULT_LIMIT} without \`limit\`.
Documents stay in the bin for ${days(binRetentionDays)}, notifications are kept for ${days(notificationRetentionDays)}.
`.trim();
}

function size(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && value % 1024 === 0 && unit < units.length - 1)
    [value, unit] = [value / 1024, unit + 1];
  return `${value} ${units[unit]}`;
}

function days(count: number): string {
  return count === 1 ? 'a day' : `${count} days`;
}
