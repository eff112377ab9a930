import base from './jest.config.js';

/** What takes the service down, again and again: `npm run test:faults`, with FAULT_ROUNDS rounds of each (20). */
export default {
  ...base,
  testMatch: ['<rootDir>/test/faults/**/*-spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
