import base from './jest.config.js';

process.env.TEST_EXHAUSTIVE = 'true';

/** Specs with a size (test/support/exhaustive.ts), at their full size: `npm run test:exhaustive`. */
export default {
  ...base,
  testMatch: [
    '<rootDir>/test/database/*-plan-spec.ts',
    '<rootDir>/test/documents/search-*spec.ts',
    '<rootDir>/test/hardening/{answer-sizes,queue-fairness}-spec.ts',
    '<rootDir>/test/rights/**/*-spec.ts',
    '<rootDir>/test/walls/**/*-spec.ts',
  ],
};
