import base from './jest.config.js';

/**
 * What takes the service down, again and again, and many who write at once: `npm run test:faults`, with FAULT_ROUNDS
 * rounds of each (20; five times as many of each race).
 */
export default {
  ...base,
  testMatch: ['<rootDir>/test/faults/**/*-spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
