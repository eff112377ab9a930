/** Parts of a request target other than path and query: scheme and authority (RFC 9112, 3.2.2), and a fragment. */
const AROUND = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*|#.*$/gis;
const UNSAFE = /[<>"'\\^`{|}\u0080-\uffff]/g;

/** Parameters that the cursor of the next page replaces. */
const POSITIONS: readonly string[] = ['cursor', 'after'];

/**
 * Returns the URL of the next page: the requested URL with the new cursor. The other query parameters stay as sent.
 *
 * @param base public base URL of the service, without trailing slash
 * @param target request target as sent
 */
export function nextPageUrl(base: string, target: string, cursor: string): string {
  const requested = target.replace(AROUND, '');
  const mark = requested.indexOf('?');
  if (mark < 0) return `${base}${safe(requested)}?cursor=${cursor}`;
  const query = requested.slice(mark + 1);
  const others = /cursor|after|%/i.test(query) ? withoutPosition(query) : query;
  return `${base}${safe(requested.slice(0, mark))}?${others && `${safe(others)}&`}cursor=${cursor}`;
}

/**
 * Returns the path of a resource created by a POST (RFC 9110, 10.2.2): the path of its collection and its id.
 *
 * @param base path of the service's public URL, without trailing slash
 * @param collection in the tenant, if it is not the requested path
 */
export function createdPath(base: string, target: string, id: string, collection?: string): string {
  const [requested = ''] = target.replace(AROUND, '').split('?', 1);
  const path = collection
    ? requested.replace(/^(\/api\/v1\/t\/[^/]+)\/.*$/, (_, tenant: string) => `${tenant}/${collection}`)
    : requested;
  return `${base}${safe(path)}/${id}`;
}

function withoutPosition(query: string): string {
  return query
    .split('&')
    .filter((parameter) => !POSITIONS.includes(decoded(parameter.split('=', 1)[0] ?? '')))
    .join('&');
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/**
 * Encodes characters that Node accepts in a request target, but that are not valid in a URI or a Link header (RFC
 * 8288).
 */
function safe(part: string): string {
  return part.replace(
    UNSAFE,
    (character) => `%${Buffer.from(character, 'latin1').toString('hex').toUpperCase()}`,
  );
}
