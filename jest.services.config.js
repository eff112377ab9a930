import base from './jest.config.js';

/**
 * What needs installed programs: `npm run test:services`, with `redis-server` and `tesseract` (German and English) on the
 * PATH. `npm test` does without.
 */
export default {
  ...base,
  testMatch: ['<rootDir>/test/services/**/*-spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
