import { hash } from 'node:crypto';
import { message } from './messages/message.js';
import { Problem } from './problem.js';

/** Strong entity tag (RFC 9110, 8.8.3): a hash of exactly the response body. */
export function entityTag(representation: object | string | Buffer): string {
  const body =
    typeof representation === 'string' || Buffer.isBuffer(representation)
      ? representation
      : JSON.stringify(representation);
  return `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
}

const TAG = /(W\/)?"[\x21\x23-\x7e\x80-\uffff]*"/g;

function tagsOf(header: string): string[] {
  return header.match(TAG) ?? [];
}

/** Whether an If-Match header is `*` or contains the tag. Weak tags never match (RFC 9110, 13.1.1). */
export function matchesIfMatch(header: string, tag: string): boolean {
  return header.trim() === '*' || tagsOf(header).includes(tag);
}

/** The 412 for an If-Match header that names no current entity tag. */
export function preconditionFailed(ifMatch: string): Problem {
  const isWeak = tagsOf(ifMatch).some((tag) => tag.startsWith('W/'));
  return new Problem(
    'request.precondition-failed',
    isWeak ? { detail: message('precondition.weak-tag') } : {},
  );
}

/** Whether an If-None-Match header is `*` or contains the tag, by weak comparison (RFC 9110, 13.1.2). */
export function matchesIfNoneMatch(header: string, tag: string): boolean {
  return header.trim() === '*' || tagsOf(header).some((candidate) => candidate.replace(/^W\//, '') === tag);
}
