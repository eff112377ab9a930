import type { IncomingMessage } from 'node:http';
import { entityTag, matchesIfNoneMatch } from '../../../common/entity-tag.js';

/** Whether the response to GET or HEAD contains the representation: not for HEAD, and not if the client has it (304). */
export function answersWithBody(
  { method, headers: { 'if-none-match': known } }: IncomingMessage,
  representation: string | Buffer,
): boolean {
  return method !== 'HEAD' && (known === undefined || !matchesIfNoneMatch(known, entityTag(representation)));
}
