import { type Configuration } from '../../config/configuration.js';

/** What somebody new has to know before the first request; the text above the operations (CommonMark). */
export function introduction({ embeddedIssuer }: Configuration): string {
  const login = embeddedIssuer
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
repeated safely with an \`Idempotency-Key\`. A 201 says in \`Location\` where to read what was created. How many requests are left is told by \`RateLimit\` on every answer.

A path that is not there is answered 404, a method that a path does not take 405 with \`Allow\`. The extension
\`x-addition\` marks operations beyond the specified ones, \`x-problems\` lists the problems of a response. The same
document: [OpenAPI 3.1](openapi.json), [OpenAPI 3.0](openapi-3.0.json).
`.trim();
}
