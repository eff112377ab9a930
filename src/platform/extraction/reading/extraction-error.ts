import { type ExtractionFailure } from '../extractor.js';
import { SourceReadError } from './source.js';

/** A file cannot be read for a reason that the uploader gets to see. */
export class ExtractionError extends Error {
  constructor(
    readonly failure: ExtractionFailure,
    message: string,
  ) {
    super(message);
    this.name = 'ExtractionError';
  }
}

/** @throws the error, if it was not caused by the file */
export function failureOf(error: unknown): ExtractionFailure {
  if (error instanceof SourceReadError || isSystemError(error)) throw error;
  if (error instanceof ExtractionError) return error.failure;
  // The maximum size of a string in V8 or of a buffer in Node was exceeded.
  if (
    error instanceof RangeError &&
    /Invalid (?:string|array|typed array) length|allocation/i.test(error.message)
  )
    return 'MemoryLimitExceeded';
  return 'Corrupted';
}

/** Whether a system call failed or a module could not be loaded. */
function isSystemError(error: unknown): boolean {
  const { code = '', syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return syscall !== undefined || /^ERR_(?:MODULE_NOT_FOUND|DLOPEN_FAILED|ACCESS_DENIED)$/.test(code);
}
