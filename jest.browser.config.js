import base from './jest.config.js';

/** What needs a browser: `npm run test:browser`, with Chromium installed (CHROMIUM_PATH). `npm test` does without. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/browser/**/*-spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
