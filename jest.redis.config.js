import base from './jest.config.js';

/** What needs a Redis: `npm run test:redis`, with `redis-server` on the PATH. `npm test` does without. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/redis/**/*-spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
