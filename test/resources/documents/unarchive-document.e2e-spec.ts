import { describe } from '@jest/globals';
import { archivingCases } from './archiving-cases.js';

describe('UnarchiveDocument', () =>
  archivingCases('unarchive', [
    ['Active', 'document.not-archived'],
    ['Processing', 'document.not-archived'],
    ['Deleted', 'document.deleted'],
  ]));
