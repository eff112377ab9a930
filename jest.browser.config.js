import base from './jest.config.js';

/** Tests in a browser: `npm run test:browser`. They need Chromium (/usr/bin/chromium, or CHROMIUM_PATH). */
export default {
  ...base,
  testMatch: ['<rootDir>/test/browser/**/*-spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
