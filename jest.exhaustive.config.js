import base from './jest.config.js';

process.env.TEST_EXHAUSTIVE = 'true';

/** Specs that use `sized` (test/support/exhaustive.ts), at full size: `npm run test:exhaustive`. */
export default {
  ...base,
  testMatch: [
    '<rootDir>/test/platform/database/plans/*-spec.ts',
    '<rootDir>/test/resources/documents/search/search-{spec,frequent-terms-spec}.ts',
    '<rootDir>/test/security/limits/{response-sizes,queue-fairness}-spec.ts',
    '<rootDir>/test/security/permissions/**/*-spec.ts',
    '<rootDir>/test/security/{bad-input,tenant-isolation}/**/*-spec.ts',
  ],
};
