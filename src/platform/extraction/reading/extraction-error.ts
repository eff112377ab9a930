import { type ExtractionFailure } from '../extractor.js';

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
