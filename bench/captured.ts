import { createHash } from 'node:crypto';
import { type Statement } from '../src/platform/database/transactions/tenant-batch.js';
import { type LoadRequest } from './load.js';

export interface CapturedStatement {
  /** Name of the prepared statement; null for a statement that is planned each time. */
  readonly name: string | null;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A request with its SQL statements in the service, without those that set the tenant. */
export interface CapturedRequest extends LoadRequest {
  readonly operation: string;
  readonly statements: readonly CapturedStatement[];
}

export function requestKey({ method, path, body }: LoadRequest): string {
  return body === undefined ? `${method} ${path}` : `${method} ${path} ${body}`;
}

export function capturedStatement({ text, values = [], planEachTime }: Statement): CapturedStatement {
  const name = planEachTime ? null : `captured-${createHash('md5').update(text).digest('hex')}`;
  return { name, text, values };
}
