import base from './jest.config.js';

/**
 * Fault injection and concurrent writes: `npm run test:faults`. FAULT_ROUNDS is the number of rounds (default 20; five times
 * as many for races).
 */
export default {
  ...base,
  testMatch: ['<rootDir>/test/faults/**/*-spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
