/** What a request target has around path and query: an authority (RFC 9112, 3.2.2), or what clients should not send. */
const AROUND = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*|#.*$/gis;
const UNSAFE = /[<>"'\\^`{|}\u0080-\uffff]/g;

/**
 * Where the next page of a list is: the URL that was asked for, with the cursor in place of the last one. Everything
 * else of the query stays as it was sent.
 *
 * @param base public base URL of the service, without a slash at its end
 * @param target of the request, as it was sent
 */
export function nextPageUrl(base: string, target: string, cursor: string): string {
  const requested = target.replace(AROUND, '');
  const mark = requested.indexOf('?');
  if (mark < 0) return `${base}${safe(requested)}?cursor=${cursor}`;
  const query = requested.slice(mark + 1);
  const others = /cursor|%/i.test(query) ? withoutCursor(query) : query;
  return `${base}${safe(requested.slice(0, mark))}?${others && `${safe(others)}&`}cursor=${cursor}`;
}

/**
 * Path of what a POST to a collection has created (RFC 9110, 10.2.2): that of the collection, and its id.
 *
 * @param base path that the service is reached under, without a slash at its end
 */
export function createdPath(base: string, target: string, id: string): string {
  const [path = ''] = target.replace(AROUND, '').split('?', 1);
  return `${base}${safe(path)}/${id}`;
}

function withoutCursor(query: string): string {
  return query
    .split('&')
    .filter((parameter) => decoded(parameter.split('=', 1)[0] ?? '') !== 'cursor')
    .join('&');
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Node lets through what may stand neither in a URI nor, as it is, in a header field (RFC 8288). */
function safe(part: string): string {
  return part.replace(
    UNSAFE,
    (character) => `%${Buffer.from(character, 'latin1').toString('hex').toUpperCase()}`,
  );
}
