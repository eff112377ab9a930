import { CountQuery } from '../../../platform/http/input/integer-field.js';

const MAX_PAGE = 1_000_000;

export class DocumentTextQuery {
  @CountQuery(MAX_PAGE, { description: 'Only this page, from 1; a text without pages is page 1' })
  page?: number;
}
