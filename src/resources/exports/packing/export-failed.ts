import { type ExportFailure } from '../../../common/vocabulary/exports.js';

/** The export cannot be packed, and another attempt would not help. */
export class ExportFailed extends Error {
  constructor(
    readonly failure: ExportFailure,
    detail = '',
  ) {
    super(`The export failed: ${failure}${detail && ` (${detail})`}`);
    this.name = 'ExportFailed';
  }
}
