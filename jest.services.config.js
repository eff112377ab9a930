import base from './jest.config.js';

/**
 * What needs installed programs: `npm run test:services`, with `redis-server`, `tesseract` (German and English) and
 * OpenStack Swift (`swift-proxy-server` and its kin) on the PATH. `npm test` does without.
 */
export default {
  ...base,
  testMatch: ['<rootDir>/test/services/**/*-spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
