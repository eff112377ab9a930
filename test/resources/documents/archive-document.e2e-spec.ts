import { describe } from '@jest/globals';
import { archivingCases } from './archiving-cases.js';

describe('ArchiveDocument', () =>
  archivingCases('archive', [
    ['Archived', 'document.archived'],
    ['Processing', 'document.processing'],
    ['Deleted', 'document.deleted'],
  ]));
