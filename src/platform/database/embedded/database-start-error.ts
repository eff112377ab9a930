import { systemErrorReason } from '../../../common/system-error-reason.js';

/** The message is for the operator. */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError';
}

/** The error of a step that failed for a reason of the operating system. */
export function startError(what: string, error: unknown): DatabaseStartError {
  return new DatabaseStartError(`${what} (${systemErrorReason(error)}).`, { cause: error });
}
