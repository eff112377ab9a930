import { describe } from '@jest/globals';
import { holdItemCases } from './support/hold-item-cases.js';

describe('AddFileToHold', () => {
  holdItemCases('file', 'put');
});
