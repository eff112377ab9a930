import base from './jest.config.js';

/**
 * What needs installed programs: `npm run test:services`, with `redis-server`, `tesseract` (German and English),
 * OpenStack Swift (`swift-proxy-server` and its kin), `pg_dump`, `pg_restore`, `tar` and `xz` on the PATH, and a
 * PostgreSQL where Debian puts it. `npm test` does without.
 */
export default {
  ...base,
  testMatch: ['<rootDir>/test/services/**/*-spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
