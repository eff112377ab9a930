import { type ExtractionFailure } from '../extractor.js';

/** A format's reader gives up on a file, for a reason that its uploader is to learn. */
export class ExtractionError extends Error {
  constructor(
    readonly failure: ExtractionFailure,
    message: string,
  ) {
    super(message);
    this.name = 'ExtractionError';
  }
}
