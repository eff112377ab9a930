import { CountQuery } from '../../../platform/http/input/integer-field.js';
import { MAX_PAGE, MAX_VERSION, MAX_WIDTH } from '../contents/content-limits.js';

/** Few widths, so that few pictures are rendered and stored. */
const WIDTHS = [200, 400, 800];

export class DocumentPreviewQuery {
  @CountQuery(MAX_PAGE, { description: 'The page, from 1. Default: 1' })
  page?: number;

  @CountQuery(MAX_WIDTH, {
    description:
      'The maximum width in pixels, rounded up to 200, 400, 800 or 1600. Default: 400. Images are never enlarged.',
  })
  width?: number;

  @CountQuery(MAX_VERSION, {
    description:
      'Number of the version of the content (`content.version`). The response may then be kept for an hour without asking again. 404 if the document has another version.',
  })
  version?: number;
}

/** The requested page and the width that is rendered. */
export function sizeOf({ page = 1, width = 400 }: DocumentPreviewQuery): { page: number; width: number } {
  return { page, width: WIDTHS.find((one) => one >= width) ?? MAX_WIDTH };
}
