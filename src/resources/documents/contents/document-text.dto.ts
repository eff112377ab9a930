import { CountQuery } from '../../../platform/http/input/integer-field.js';
import { MAX_PAGE } from './content-limits.js';

export class DocumentTextQuery {
  @CountQuery(MAX_PAGE, { description: 'Only this page, from 1; a text without pages is page 1' })
  page?: number;
}
