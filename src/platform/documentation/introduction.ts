import { maxHeaderSize } from 'node:http';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../common/page.js';
import { type Configuration } from '../config/configuration.js';
import {
  BODY_LIMITS,
  type BodyLimit,
  type EndpointOptions,
  MAX_JSON_DEPTH,
} from '../http/endpoint/endpoint-options.js';

/** The introduction of the documentation page, above the operations (CommonMark). */
export function introduction(configuration: Configuration, endpoints: readonly EndpointOptions[]): string {
  const login = configuration.embeddedIssuer
    ? '*Authorize* opens the login of the demo issuer, where you choose a user. All examples work for the administrator.'
    : '*Authorize* opens the login of your identity provider.';
  return `
This API manages numbered files, the documents in them, and access to both. All data belongs to a tenant; the path
contains the slug of the tenant.

**First requests.** ${login} Then:

1. \`GET /api/v1/t/{tenant}/me\` returns your role and permissions in the tenant.
   \`GET /api/v1/tenants\` lists your tenants.
2. \`GET /api/v1/t/{tenant}/files\` lists the files, newest first; \`q\` filters by a part of number or name.
3. \`POST /api/v1/t/{tenant}/files\` creates a file. If you send the same number again, you get a 409.

**Errors** are problem documents (\`application/problem+json\`, RFC 9457), in English or German (\`Accept-Language\`).
\`type\` is the path of an explanation under [/problems](problems), \`instance\` contains the request id. With status
400, \`errors\` lists the invalid values by their JSON path in the request.

**Lists** are paged by cursor: repeat the request with \`nextCursor\` as \`cursor\` and the same filters until
\`nextCursor\` is null, or follow \`Link: <…>; rel="next"\`. A page with large items can be shorter than \`limit\`.

**Concurrent changes** are detected with \`ETag\` and \`If-Match\`. With an \`Idempotency-Key\`, you can safely repeat a
request whose response you did not receive. A 201 has the path of the created resource in \`Location\`. Every response
has the number of remaining requests in \`RateLimit\`.

**Unknown members** of a body, unknown parameters and unknown form parts are ignored. With the header field
\`Prefer: handling=strict\` (RFC 7240), every operation that needs a token answers 400 instead and lists them in
\`errors\`; \`Preference-Applied: handling=strict\` in the response confirms it. Other preferences are ignored.

**Values and conditions.** CreateDocument describes how to send the values of each field type. SearchDocuments lists
the operators of each field type.

${limits(configuration, endpoints)}

An unknown path gets a 404, an unsupported method a 405 with \`Allow\`. The extension \`x-addition\` marks operations
that are not in the specification, \`x-problems\` lists the problems of a response.
`.trim();
}

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
nested levels. The header fields of a request have at most ${size(maxHeaderSize)}, the content of a document at most
${size(uploadLimit)}, all contents of a tenant ${size(tenantStorageLimit)}. A caller can send ${rateLimitPerMinute}
requests per minute in each tenant, ${rateLimitBurst} of them at once. A tenant can have its own limits for storage and
requests. A page has at most ${MAX_LIMIT} items, ${DEFAULT_LIMIT} without \`limit\`. Documents stay in the bin for
${days(binRetentionDays)}, notifications are kept for ${days(notificationRetentionDays)}.
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
  return count === 1 ? '1 day' : `${count} days`;
}
